#!/bin/sh
# SPDX-License-Identifier: MIT
# What the folders promise each other, checked on the sources:
#   - each folder is a room; includes go down the list of rooms, and vendors do not see each other;
#   - nothing uses floating point but emu/fit, which compares with measurements;
#   - the sources are formatted as .clang-format says;
#   - some program or library reaches each function, or tests/only_tests.txt says why it stays;
#   - each tests/test_<name>.c is in the list of suites, and nothing else is;
#   - the arguments of events go by their names;
#   - no call is used that can lose a piece and succeed when memory is short;
#   - vendors are told by their rows, not by comparing names and addresses;
#   - make can run each tests/test_<name>.sh;
#   - sources are in the local.mk of their folder, and folders of data in EXTRA_DIST, so that a
#     distribution has them.
#
# PROMISE (program): Includes go down the list of rooms, the models use no floating point, the
# sources are formatted, a program reaches each function, and the distribution has all files.
set -eu
cd "${top_srcdir:-.}"
for folder in emu devices firmware-models traces tests; do
    [ -d "$folder" ] || {
        echo "no $folder in $PWD: these are not gfe's sources"
        exit 1
    }
done
status=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

report() # MESSAGE LINES
{
    [ -n "$2" ] || return 0
    printf '%s:\n%s\n' "$1" "$2"
    status=1
}

# --- the rooms --------------------------------------------------------------------------------

# From top to bottom: a file includes files of its own room and of the rooms below.  Rooms on one
# line do not see each other.  A row may name a file, or how the names of files begin; a file is in
# the room of the longest row that its path begins with.  Rows for rooms still to come are allowed.
cat >"$scratch/rooms" <<'END'
emu/program/
emu/live/ emu/prove/ emu/fit/ emu/selftest/
emu/explore/
emu/debug/
emu/faults/
emu/sim/
emu/views/html/
emu/views/examiner/ emu/views/perfetto/ emu/views/svg/ emu/views/text/ emu/views/vcd/
emu/views/
emu/analysis/diff.
emu/analysis/story/
emu/analysis/explain/ emu/analysis/summary/
emu/analysis/check/
emu/analysis/
emu/analysis/model/
emu/replay/
firmware-models/cuda/
firmware-models/bare/
firmware-models/rm/ firmware-models/nouveau/ firmware-models/hip/ firmware-models/hws/
firmware-models/kfd/
firmware-models/driver.h firmware-models/extent.
devices/amd/ devices/nvidia/
devices/core/
traces/import/
traces/record/
traces/record/amdgpu/ traces/record/kfd/ traces/record/nouveau/ traces/record/rm/
traces/record/record_memory traces/record/record_out. traces/record/record_tree_files.h
traces/record/record_drm_uapi.h traces/record/record_saved. traces/record/record_tree.h
traces/record/record_step.h traces/record/record_user.
traces/config/
traces/format/
devices/amd/formats/ devices/nvidia/formats/
emu/engine/
emu/log/
emu/base/
END

# What a room does not see although it lies below: the vendors, above all.
cat >"$scratch/never" <<'END'
emu/views/ devices/ firmware-models/ traces/record/
emu/analysis/ devices/ firmware-models/ traces/record/
emu/analysis/check/ emu/analysis/model/
emu/replay/ devices/ firmware-models/cuda/ firmware-models/rm/ firmware-models/nouveau/
emu/replay/ firmware-models/hip/ firmware-models/hws/ firmware-models/kfd/ traces/record/
firmware-models/cuda/ devices/amd/ firmware-models/nouveau/ firmware-models/hip/
firmware-models/cuda/ firmware-models/hws/ firmware-models/kfd/ traces/
firmware-models/bare/ devices/amd/ firmware-models/nouveau/ firmware-models/hip/ traces/import/
firmware-models/rm/ devices/amd/ firmware-models/kfd/
firmware-models/nouveau/ devices/amd/ firmware-models/kfd/ traces/record/ traces/import/
firmware-models/hip/ devices/nvidia/ traces/
firmware-models/hws/ devices/nvidia/ traces/
firmware-models/kfd/ devices/nvidia/ traces/
firmware-models/driver.h devices/
firmware-models/extent. devices/ traces/
devices/amd/ devices/nvidia/ traces/
devices/nvidia/ devices/amd/ traces/
devices/core/ devices/amd/ devices/nvidia/ traces/
traces/import/ devices/amd/ traces/record/kfd/
traces/record/kfd/ devices/nvidia/
traces/record/nouveau/ devices/amd/
traces/config/ devices/
traces/format/ devices/
END

# Prints those of the lines FILE:LINE:#include "PATH" that go upwards or where they may not.
upwards() # <LINES
{
    # shellcheck disable=SC2016 # awk's own variables
    awk '
    function room_of(path,    room, best) {
        best = ""
        for (room in rank)
            if (index(path, room) == 1 && length(room) > length(best))
                best = room
        return best
    }
    FILENAME ~ /rooms$/ {
        for (i = 1; i <= NF; i++)
            rank[$i] = FNR
        next
    }
    FILENAME ~ /never$/ {
        for (i = 2; i <= NF; i++)
            never[$1, $i] = 1
        next
    }
    {
        from = to = $0
        sub(/:.*/, "", from)
        sub(/^[^<"]*[<"]/, "", to)
        sub(/[>"].*/, "", to)
        a = room_of(from)
        b = room_of(to)
        why = ""
        if (a == "" || b == "")
            why = "no room has " (a == "" ? from : to)
        else if (rank[b] < rank[a])
            why = b " lies above " a
        else if (a != b && rank[b] == rank[a])
            why = b " lies beside " a
        else
            for (pair in never) {
                split(pair, name, SUBSEP)
                if (index(from, name[1]) == 1 && index(from, name[2]) != 1 && index(to, name[2]) == 1)
                    why = name[1] " may not see " name[2]
            }
        if (why != "")
            print $0 " (" why ")"
    }' "$scratch/rooms" "$scratch/never" -
}

# The check sees an include of each room from each room below or beside it, and of each pair of the
# second table; it says nothing of what a room includes of itself, and finds the room of each file.
# shellcheck disable=SC2016 # awk's own variables
awk 'function file(room) { return room ~ /\/$/ ? room "x.c" : room ~ /\.$/ ? room "h" : room }
    FILENAME ~ /rooms$/ { for (i = 1; i <= NF; i++) { rank[$i] = FNR } next }
    { for (i = 2; i <= NF; i++) print file($1) ":1:#include \"" file($i) "\"" }
    END {
        for (a in rank)
            for (b in rank)
                if (a != b && rank[b] <= rank[a])
                    print file(a) ":1:#include \"" file(b) "\""
        print "emu/x.c:1:#include \"emu/base/error.h\""
        print "emu/log/x.c:1:#include \"event_log.h\""
        print "emu/log/x.c:1:#include <emu/engine/machine.h>"
        print "emu/program/x.c:1:#include \"tests/suites.h\""
    }' "$scratch/rooms" "$scratch/never" >"$scratch/wrong"
upwards <"$scratch/wrong" | sed 's/ (.*//' >"$scratch/seen"
report 'includes that the check of rooms should see' "$(diff "$scratch/wrong" "$scratch/seen" || true)"
tr -s ' ' '\n' <"$scratch/rooms" |
    sed 's,/$,/x.c,; s,\.$,.h,; s,.*,&:1:#include "&",' >"$scratch/right"
report 'includes that the check of rooms should pass' "$(upwards <"$scratch/right")"

find emu devices firmware-models traces -name '*.[ch]' | sort |
    xargs grep -nHE '^ *# *include *("|<(emu|devices|firmware-models|traces|tests|bench)/)' >"$scratch/includes"
[ "$(wc -l <"$scratch/includes")" -gt 1000 ] || report 'includes' 'fewer than a thousand were found'
report 'includes against the order of rooms' "$(upwards <"$scratch/includes")"

# --- what sources may not say ------------------------------------------------------------------

# Comments may speak of it; they end on the line or begin with an asterisk.
for folder in emu devices firmware-models; do
    [ -d "$folder" ] || continue
    # shellcheck disable=SC2016 # awk's own variable
    report "$folder/ uses no floating point" "$(find "$folder" -name '*.[ch]' ! -path 'emu/fit/*' | sort | xargs -r awk '{
        sub(/\/\*.*\*\//, ""); sub(/\/\*.*/, ""); sub(/^ *\*.*/, ""); gsub(/"[^"]*"/, "")
        if (/(^|[^A-Za-z0-9_])(float|double)([^A-Za-z0-9_]|$)/)
            print FILENAME ":" FNR ":" $0
    }')"
done

# The one version that CI has; others format some lines differently.
if command -v clang-format-14 >/dev/null 2>&1; then
    printf 'int  a ;\n' | clang-format-14 --dry-run -Werror --assume-filename=emu/a.c 2>"$scratch/format" &&
        report 'clang-format-14' 'it took "int  a ;" for formatted'
    find emu devices firmware-models traces tests bench docs -name '*.[ch]' | sort |
        xargs -P 2 -n 64 clang-format-14 --dry-run -Werror 2>"$scratch/format" ||
        report 'clang-format-14 would change' "$(grep ': error: ' "$scratch/format" || echo 'it failed')"
else
    echo 'clang-format-14 is not installed: the format of the sources was not checked'
fi

# --- how vendors are told --------------------------------------------------------------------

# A vendor, or a kind of simulation, is told by its row: gpu_vendor_of() (emu/sim/gpus.h), the ops of
# a simulation (emu/sim/any_simulation.h), inject_sites.holder, inspect_view.vendors.  Chips are looked
# up for their figures, in an assignment to `model` or `chip`.  That a recording's driver has a model
# is asked of input->driver.
vendors_compared() # <LINES
{
    grep -E '_chip_by_name\(|str(n|case|ncase)?cmp\([^;]*"(nvidia|amd|hip|kfd|hsa|rocm|cuda|nouveau|rm|NVIDIA|AMD)[-a-z0-9]*"|([=!]=|[<>]=?) &?(nv|nvidia|amd|kfd|hip|gpu)_([a-z0-9_]*_)?(sites|views|tables|chips|ops|nvidia|amd)([^a-z0-9_]|$)|([^a-z0-9_]|^)(nv|nvidia|amd|kfd|hip|gpu)_[a-z0-9_]*(sites|views|tables|ops)(\.[a-z]+)? ([=!]=|[<>]=?) |([^a-z0-9_]|^)&?gpu_(nvidia|amd) [=!]= |tables\[[^]]*\] [=!]= |any_simulation_subject\(.*\)\.(node|model)' |
        grep -vE '(model|chip) = ([^=]*\? )?(nv|amd)_chip_by_name\(|strncmp\(input->driver, |^emu/sim/gpus\.c:[0-9]+:.*_chip_by_name\(' || true
}
cat >"$scratch/compared" <<'END'
emu/x.c:1:    return (gpu && amd_chip_by_name(gpu)) || hip_simulation_is(path);
emu/x.c:1:    const bool is_nvidia = gpu && nv_chip_by_name(gpu);
emu/x.c:1:    if (strcmp(string_of(inspection, "driver_model"), "hip") == 0)
emu/x.c:1:    return strncasecmp("NVIDIA", name, 6) == 0;
emu/x.c:1:    const bool is_amd = inject->sites.rows == amd_inject_sites.rows;
emu/x.c:1:    if (amd_inject_sites.rows != machine->inject->sites.rows)
emu/x.c:1:    return view >= kfd_inspect_views && view < end;
emu/x.c:1:        if (machine->tables[t] == tables)
emu/x.c:1:    if (vendor != &gpu_nvidia)
emu/x.c:1:    if (simulation->ops == &kfd_ops)
emu/x.c:1:    debug->is_amd = any_simulation_subject(&debug->simulation).node != NULL;
END
cat >"$scratch/told" <<'END'
emu/x.c:1:    const struct nv_chip *model = gpu ? nv_chip_by_name(gpu) : NULL;
emu/x.c:1:    question->model = nv_chip_by_name(request->gpu);
emu/x.c:1:        !(chip = amd_chip_by_name(args.operands[0])))
emu/sim/gpus.c:1:    return amd_chip_by_name(gpu) != NULL;
emu/x.c:1:    if (strncmp(input->driver, "kfd", strlen("kfd")) != 0)
emu/x.c:1:        if (strcmp(options->choices[i].id, "rm.recovery") == 0)
emu/x.c:1:        if (strcmp(rows[i].name, name) == 0)
emu/x.c:1:    if (vendor->runs_configurations)
emu/x.c:1:    for (uint32_t i = 0; i < nv_chip_count; i++)
END
vendors_compared <"$scratch/compared" >"$scratch/seen"
report 'comparisons that the check of vendors should see' "$(diff "$scratch/compared" "$scratch/seen" || true)"
report 'lines that the check of vendors should pass' "$(vendors_compared <"$scratch/told")"
report 'vendors told by a name or an address, not by their row' "$(
    find emu -name '*.[ch]' | sort | xargs grep -nH '' | vendors_compared)"

# --- what only tests use -----------------------------------------------------------------------

mkdir -p "$scratch/small"
cat >"$scratch/small/a.c" <<'END'
#define CALLS(call) call(by_list)
/* by_comment(); */
static const char text[] = "by_text";
static const struct ops ops = {.run = by_table};
static void local(void)
{
    CALLS(TAKE);
}
int main(void)
{
    local();
    return ops.run() + by_call(text);
}
END
for name in by_list by_table by_call by_comment by_text by_itself by_lone by_prototype; do
    printf 'void %s(void);\nvoid %s(void)\n{\n    %s();\n}\n' "$name" "$name" \
        "$(case $name in by_lone) echo by_itself ;; by_itself) echo by_itself ;; esac)"
done >"$scratch/small/b.c"
report 'what the check of unused functions should find' "$(
    awk -f tests/only_tests.awk "$scratch/small/a.c" "$scratch/small/b.c" | sed 's/ .*//' | sort |
        tr '\n' ' ' | grep -vx 'by_comment by_itself by_lone by_prototype by_text ' || true)"
find emu devices firmware-models traces -name '*.[ch]' | sort |
    xargs awk -f tests/only_tests.awk | sort >"$scratch/unused"
grep -v '^#' tests/only_tests.txt | sort >"$scratch/listed"
report 'functions that only tests use, if any, and that tests/only_tests.txt lacks' \
    "$(awk 'FNR == NR { listed[$1] = 1; next } !($1 in listed)' "$scratch/listed" "$scratch/unused")"
report 'lines of tests/only_tests.txt that are no longer needed' \
    "$(awk 'FNR == NR { unused[$1] = 1; next } !($1 in unused)' "$scratch/unused" "$scratch/listed")"
report 'lines of tests/only_tests.txt that name no step' \
    "$(grep -Ev '^[a-z0-9_]+ +([0-9]+|tests) +[^ ]' "$scratch/listed" || true)"
# Lower it with each line that goes.
[ "$(wc -l <"$scratch/listed")" -eq 17 ] || report 'tests/only_tests.txt may only shrink' "change the number in this script with it"

# A name that stands in one of the two only comes out once.
odd=$({
    sed -n 's/^ *S(\([a-z0-9_]*\)).*/\1/p' tests/suites.h
    find tests -maxdepth 1 -name 'test_*.c' | sed 's,^tests/test_,,; s,\.c$,,'
} | sort | uniq -u)
report 'in tests/suites.h or as tests/test_<name>.c, but not both' "$odd"
sed -n 's/^ *S(\([a-z0-9_]*\)).*/\1/p' tests/suites.h >"$scratch/suites"
report 'the first line of tests/suites.h that is not in its place' \
    "$(LC_ALL=C sort "$scratch/suites" | diff - "$scratch/suites" | sed -n '/^[<>]/{p;q;}')"
report 'scripts of tests that are no programs (chmod +x)' \
    "$(find tests -maxdepth 1 -name 'test_*.sh' ! -perm -u+x | sort)"
# Folders of EXTRA_DIST come whole; all other files are named in the local.mk of their folder.
report 'files that no distribution would have' "$(
    find emu devices firmware-models traces -type f -name '*.[ch]' | sort | while read -r file; do
        grep -qF "%D%/${file##*/}" "${file%/*}/local.mk" || echo "$file"
    done
    for folder in docs tests/golden tests/rules scenarios contrib; do
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

# These calls can lose a piece when memory is short, and succeed all the same.  emu/base/json_text.h and
# emu/base/text_stream.h have others.  A format such as "{ss*}" may stand in the line after json_pack(.
short_memory() # <LINES
{
    # shellcheck disable=SC2016 # awk's own variables
    awk '{
        text = $0
        sub(/^[^:]*:[0-9]+:/, "", text)
        sub(/^ *\*.*/, "", text)
        sub(/\/\*.*/, "", text)
        optional = text ~ /"[^"]*[so][*?]/ && (packs || text ~ /(^|[^_a-z])json_pack\(/)
        packs = text ~ /(^|[^_a-z])json_pack\( *$/
        if (optional || text ~ /(^|[^_a-z])(open_memstream|fmemopen|json_dump[a-z]*)\(|\(void\)json_(array|object)_(append|insert|set|update|extend)/)
            print
    }'
}
cat >"$scratch/short" <<'END'
emu/x.c:1:    json = json_pack("{ss ss*}", "name", name, "rule", rule);
emu/x.c:3:        "{ss so?}", "name", name, "rule", rule);
emu/x.c:4:    file = open_memstream(&text, &bytes);
emu/x.c:5:    text = json_dumps(json, JSON_COMPACT);
emu/x.c:6:    (void)json_array_append_new(list, json_integer(1));
emu/x.c:7:    (void)json_object_set_new(json, "gpu", gpu);
END
cat >"$scratch/whole" <<'END'
emu/x.c:1:    json = json_text_pack("{ss ss*}", "name", name, "rule", rule);
emu/x.c:2:    json = json_pack("{ss s[]}", "name", name, "list");
emu/x.c:3:    json = json_text_pack(
emu/x.c:4:        "{ss so?}", "name", name, "rule", rule);
emu/x.c:5:    (void)json_object_del(json, "dwords");
emu/x.c:6: * Streams of open_memstream() are not used.
END
{ cat "$scratch/short" && echo 'emu/x.c:2:    json = json_pack('; } | sort | short_memory >"$scratch/seen"
report 'lines that the check of short memory should see' "$(diff "$scratch/short" "$scratch/seen" || true)"
report 'lines that the check of short memory should pass' "$(short_memory <"$scratch/whole")"
report 'calls that lose a piece when memory is short' "$(
    find emu devices firmware-models traces -name '*.[ch]' ! -path emu/base/json_text.c ! -path emu/base/json_text.h |
        sort | xargs grep -nH '' | short_memory)"

# X_private.h is for the files X*.c and X*.h of its folder, tests and benchmarks.  One that has the folder's
# name, as record_nouveau_private.h in traces/record/nouveau, is for the whole folder.
report 'private headers that other files include' "$(
    find emu devices firmware-models traces -name '*_private.h' | sort | while read -r header; do
        folder=${header%/*} unit=${header%_private.h}
        case $unit in *_"${folder##*/}") unit=$folder/ ;; esac
        grep -rlF "\"$header\"" --include='*.[ch]' emu devices firmware-models traces | sort |
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
