#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/hardware/capture_cuda.c writes down what a program submits, also where the program maps the pages
# past the library, as Python's ctypes does.  No GPU is asked: a library stands in for the kernel's driver, and the
# right values are those that the program itself submitted.
set -eu
: "${top_srcdir:=.}"
source=$(cd "$top_srcdir" && pwd)/tests/hardware
[ "$(uname -m)" = x86_64 ] || { echo 'the library steps over stores on x86-64 only'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# shellcheck disable=SC2086 # the compiler may be "ccache gcc"
compile()
{
    ${CC:-cc} -O1 -Wall -Wextra -Werror -I"$source" "$@"
}
fail()
{
    echo "FAILED: $*"
    exit 1
}

cat >stand_in.c <<'END'
#include <stdarg.h>
#include <stdint.h>
#include "rm_calls.h"

int ioctl(int fd, unsigned long request, ...);
int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    struct rm_control *control;

    va_start(list, request);
    control = va_arg(list, struct rm_control *);
    va_end(list);
    (void)fd;
    if ((request & 0xff) == ESCAPE_CONTROL && control->command == CONTROL_CHANNEL_TOKEN) {
        *(uint32_t *)(uintptr_t)control->params = 0xa0005;
    }
    return 0;
}
END
cat >client.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rm_calls.h"

static int past_libc;
static uintptr_t next_address = 0x1000000000; /* GP entries have 40 bits for it */

static int call(int fd, unsigned number, void *argument, unsigned size)
{
    return ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, 'F', number, size), argument);
}

/* An object, and its memory: a file of its own. */
static uint32_t *object(int control, uint32_t handle, uint32_t class_id, const char *name, unsigned bytes)
{
    struct rm_alloc alloc = {1, 2, handle, class_id, 0, 0, 0};
    struct rm_map map = {.client = 1, .device = 2, .memory = handle, .length = bytes};
    void *at = (void *)next_address;

    next_address += bytes;
    map.fd = open(name, O_RDWR | O_CREAT, 0600);
    call(control, ESCAPE_ALLOC, &alloc, sizeof alloc);
    call(control, ESCAPE_MAP, &map, sizeof map);
    if (ftruncate(map.fd, bytes) != 0) {
        _exit(3);
    }
    if (past_libc) {
        at = (void *)syscall(SYS_mmap, at, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, map.fd, 0L);
    } else {
        at = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, map.fd, 0);
    }
    return at;
}

int main(int argc, char **argv)
{
    int control = open("/dev/null", O_RDWR);
    volatile uint32_t *bell;
    uint32_t token = 0, *memory;
    struct rm_channel_params channel = {.entries = 16, .userd_memory = {11}, .userd_offset = {0x8000}};
    struct rm_alloc alloc = {1, 3, 12, CLASS_HOPPER_CHANNEL, (uintptr_t)&channel, 0, 0};
    struct rm_control ask = {1, 12, CONTROL_CHANNEL_TOKEN, 0, (uintptr_t)&token, 4, 0};

    (void)argv;
    past_libc = argc > 1;
    bell = object(control, 10, CLASS_HOPPER_USERMODE, "bell", 0x10000);
    memory = object(control, 11, CLASS_LOCAL_MEMORY, "memory", 0x10000);
    channel.gp_fifo = (uintptr_t)memory;
    call(control, ESCAPE_ALLOC, &alloc, sizeof alloc);
    call(control, ESCAPE_CONTROL, &ask, sizeof ask);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *words = memory + 0x1000 + 16 * i;
        uint64_t entry = (uintptr_t)words | (uint64_t)(1 + i) << 42;

        words[0] = 0x20010000 + i;
        words[1] = 0xfeed0000 + i;
        memcpy(memory + 2 * i, &entry, 8);
        memory[(0x8000 + 0x8c) / 4] = i + 1; /* GP_PUT */
        __sync_synchronize();
        bell[0x90 / 4] = token;
    }
    return bell[0x90 / 4] != token;
}
END
compile -shared -fPIC -o capture_cuda.so "$source/capture_cuda.c" -ldl
compile -shared -fPIC -o stand_in.so stand_in.c
compile -o client client.c

for past in '' past; do
    rm -f out.* bell memory
    # shellcheck disable=SC2086 # nothing, or a word
    GFE_CAPTURE=out LD_PRELOAD="$PWD/capture_cuda.so $PWD/stand_in.so" ./client $past || fail "the client${past:+, $past}: status $?"
    cat out.*.jsonl >lines
    [ "$(grep -c '"type":"doorbell"' lines)" -eq 2 ] || fail "two stores to the doorbell${past:+, mapped $past the library}: $(cat lines)"
    grep '"type":"doorbell".*"offset":"0x90","channel":"0xc","token":"0xa0005","gp_put":1,"gp_put_before":0,.*"hex":"00000120"' lines >/dev/null ||
        fail "the first submission: $(cat lines)"
    grep '"type":"doorbell".*"gp_put":2,"gp_put_before":1,.*"bytes":8,"hex":"010001200100edfe"' lines >/dev/null ||
        fail "the second submission: $(cat lines)"
done
