#!/bin/sh
# SPDX-License-Identifier: MIT
# What the folders promise each other, checked on the sources:
#   - includes go one way, and vendors do not see each other;
#   - the engine, the devices and the firmware models use no floating point;
#   - each tests/test_<name>.c is in the list of suites, and nothing else is;
#   - the arguments of events go by their names;
#   - make can run each tests/test_<name>.sh;
#   - sources are in the local.mk of their folder, and folders of data in EXTRA_DIST, so that a
#     distribution has them.
set -eu
cd "${top_srcdir:-.}"
for folder in emu devices firmware-models traces tests; do
    [ -d "$folder" ] || {
        echo "no $folder in $PWD: these are not gfe's sources"
        exit 1
    }
done
status=0

report() # MESSAGE LINES
{
    [ -n "$2" ] || return 0
    printf '%s:\n%s\n' "$1" "$2"
    status=1
}

# Lines in FOLDER's sources that include a path beginning with one of the given alternatives.
# policy.h is the door between firmware models and devices, so both may open it.
includes() # FOLDER FILES-LEFT-OUT PATHS
{
    find "$1" -name '*.[ch]' | grep -Ev "$2" | sort |
        xargs -r grep -nHE "^#include \"($3)" | grep -v '"devices/core/policy.h"' || true
}

none='^$'
programs='^emu/(main|cmd_[a-z_]*)\.[ch]$'
report 'emu/ knows no vendor' "$(includes emu "$programs" 'devices/(nvidia|amd)/|firmware-models/')"
report 'devices/core/ knows no vendor' \
    "$(includes devices/core "$none" 'devices/(nvidia|amd)/|firmware-models/')"
report 'devices/nvidia/ knows NVIDIA only' \
    "$(includes devices/nvidia "$none" 'devices/amd/|firmware-models/')"
report 'devices/amd/ knows AMD only' \
    "$(includes devices/amd "$none" 'devices/nvidia/|firmware-models/')"

# Comments may speak of it; they end on the line or begin with an asterisk.
for folder in emu devices firmware-models; do
    [ -d "$folder" ] || continue
    # shellcheck disable=SC2016 # awk's own variable
    report "$folder/ uses no floating point" "$(find "$folder" -name '*.[ch]' | sort | xargs -r awk '{
        sub(/\/\*.*\*\//, ""); sub(/\/\*.*/, ""); sub(/^ *\*.*/, ""); gsub(/"[^"]*"/, "")
        if (/(^|[^A-Za-z0-9_])(float|double)([^A-Za-z0-9_]|$)/)
            print FILENAME ":" FNR ":" $0
    }')"
done

# A name that stands in one of the two only comes out once.
odd=$({
    sed -n 's/^ *S(\([a-z0-9_]*\)).*/\1/p' tests/suites.h
    find tests -maxdepth 1 -name 'test_*.c' | sed 's,^tests/test_,,; s,\.c$,,'
} | sort | uniq -u)
report 'in tests/suites.h or as tests/test_<name>.c, but not both' "$odd"
report 'scripts of tests that are no programs (chmod +x)' \
    "$(find tests -maxdepth 1 -name 'test_*.sh' ! -perm -u+x | sort)"
# Folders of EXTRA_DIST come whole; all other files are named in the local.mk of their folder.
report 'files that no distribution would have' "$(
    find emu devices firmware-models traces -type f -name '*.[ch]' | sort | while read -r file; do
        grep -qF "%D%/${file##*/}" "${file%/*}/local.mk" || echo "$file"
    done
    for folder in docs tests/golden scenarios contrib; do
        cat Makefile.am ./*/local.mk | grep -qE "(^EXTRA_DIST .*|^[[:space:]])$folder( |\$)" || echo "$folder"
    done)"

# Arguments of events have names: event_block_end_of(event).slot_index (emu/log/event_struct.h).  A
# view of inspect has a string of that name.
report 'arguments of events by number' "$(
    find emu devices firmware-models traces tests -name '*.[ch]' | sort |
        xargs -r grep -nHE '(->|\.)argument\[[0-9]+\]' | grep -v 'view->argument\[' || true)"
# EVENT(BLOCK_END, block_end, ...): the struct is called as the kind is.
report 'rows of events whose two names differ' "$(
    find emu devices firmware-models -name '*.h' | sort | xargs -r awk -F '[(,]' '
        /^ +EVENT\([A-Z0-9_]+, *[a-z0-9_]+,/ {
            name = $3
            gsub(/ /, "", name)
            if (tolower($2) != name)
                print FILENAME ":" FNR ":" $0
        }')"

# X_private.h is for the files X*.c and X*.h of its folder, and for tests.  One that has the folder's
# name, as record_nouveau_private.h in traces/record/nouveau, is for the whole folder.
report 'private headers that other files include' "$(
    find emu devices firmware-models traces -name '*_private.h' | sort | while read -r header; do
        folder=${header%/*} unit=${header%_private.h}
        case $unit in *_"${folder##*/}") unit=$folder/ ;; esac
        grep -rlF "\"$header\"" --include='*.[ch]' bench emu devices firmware-models traces | sort |
            while read -r file; do
                case $file in
                "$unit"*/*) echo "$file includes $header" ;;
                "$unit"*) ;;
                *) echo "$file includes $header" ;;
                esac
            done
    done)"
report 'private headers with another suffix than _private.h' "$(
    find emu devices firmware-models traces \( -name '*_build.h' -o -name '*_priv.h' \
        -o -name '*_internal.h' -o -name '*_impl.h' \) | sort)"

# nv_channel_get() returns a channel to look at; nv_channel.h has a function for each change of one.
report 'channels for writing outside nv_channel*.c' "$(
    find devices/nvidia emu firmware-models -name '*.[ch]' ! -name 'nv_channel*' | sort |
        xargs -r grep -nHE '(^|[^t]) *struct nv_channel \*|host->channels\[[^]]*\]\.[a-z_]+ *([-+|&]?=[^=]|\+\+|--)' |
        grep -vE '(^|[ (])const struct nv_channel \*|^devices/nvidia/nv_host.h:[0-9]+: +struct nv_channel \*channels;' || true)"

# kfd_ and nouveau_ are the driver models' (firmware-models/); recorders have record_kfd_ and record_nouveau_.
report "recorders' functions with the prefix of a driver model" "$(
    find traces/record -name '*.[ch]' | sort |
        xargs -r grep -nHE '^[a-z].*[ *](kfd|nouveau|rm|cuda|hws|hip)_[a-z0-9_]*\(' || true)"

exit "$status"
