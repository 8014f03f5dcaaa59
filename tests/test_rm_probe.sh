#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/hardware/rm_probe.c says which answers of NVIDIA's resource manager are not the ones that its
# published source gives.  No GPU is asked here: two libraries stand in for it, one that grants everything
# and one that finds no object, and both have to be noticed.
set -eu
: "${top_srcdir:=.}"
source=$(cd "$top_srcdir" && pwd)/tests/hardware
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# shellcheck disable=SC2086 # the compiler may be "ccache gcc"
compile()
{
    ${CC:-cc} -O1 -Wall -Wextra -Werror "$@"
}
fail()
{
    echo "FAILED: $*"
    exit 1
}

cat >stand_in.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rm_calls.h"

int open(const char *path, int flags, ...)
{
    return (int)syscall(SYS_openat, AT_FDCWD, strncmp(path, "/dev/nvidia", 11) ? path : "/dev/null", flags, 0);
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    void *argument;

    va_start(list, request);
    argument = va_arg(list, void *);
    va_end(list);
    (void)fd;
    switch (request & 0xff) {
    case ESCAPE_FREE: ((struct rm_free *)argument)->status = STATUS; break;
    case ESCAPE_ALLOC: ((struct rm_alloc *)argument)->status = STATUS; break;
    case ESCAPE_CONTROL: ((struct rm_control *)argument)->status = STATUS; break;
    case ESCAPE_DUP: ((struct rm_dup *)argument)->status = STATUS; break;
    case ESCAPE_MAP: ((struct rm_map *)argument)->status = STATUS; break;
    case ESCAPE_UNMAP: ((struct rm_unmap *)argument)->status = STATUS; break;
    case ESCAPE_MAP_DMA: ((struct rm_map_dma *)argument)->status = STATUS; break;
    case ESCAPE_UNMAP_DMA: ((struct rm_unmap_dma *)argument)->status = STATUS; break;
    }
    return 0;
}
END
compile -o rm_probe "$source/rm_probe.c"

asked() # STATUS WORDS...: above a stand-in that always says STATUS, rm_probe's lines for WORDS are as given
{
    compile -DSTATUS="$1" -I"$source" -shared -fPIC -o stand_in.so stand_in.c
    status=0
    LD_PRELOAD=$PWD/stand_in.so ./rm_probe >out || status=$?
    [ "$status" -eq 1 ] || fail "above a stand-in that always says $1: status $status"
    shift
    for line; do
        grep -F "$line" out >/dev/null || fail "no line $line"
    done
}
asked 0 '{"step":"a client","ioctl":0,"status":"0x0","expected":"0x0","source":"serverAllocClient","agrees":true}' \
    '{"step":"an object of no class","ioctl":0,"status":"0x0","expected":"0x22","source":"rmapiGetClassAllocParamSize","agrees":false}' \
    '{"step":"an escape that is none","ioctl":0,"status":"0x0","expected":"EINVAL","source":"RmIoctl","agrees":false}'
asked 0x57 '"step":"a client","ioctl":0,"status":"0x57","expected":"0x0","source":"serverAllocClient","agrees":false}' \
    '{"step":"a subdevice before its device","ioctl":0,"status":"0x57","expected":"0x57","source":"clientGetResourceRef","agrees":true}'
# Each line is an object of its own.
if command -v python3 >/dev/null; then
    python3 -c 'import json; [json.loads(line) for line in open("out")]' || fail 'the lines are not JSON'
fi
if [ ! -e /dev/nvidiactl ]; then
    status=0
    ./rm_probe >out 2>said || status=$?
    [ "$status" -eq 2 ] || fail "without a GPU: status $status"
    [ ! -s out ] || fail 'without a GPU there are answers'
    [ "$(wc -l <said)" -eq 1 ] || fail 'without a GPU not one line is said'
fi
