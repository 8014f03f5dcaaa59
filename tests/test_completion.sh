#!/bin/sh
# SPDX-License-Identifier: MIT
# bash completion offers what the program has. Skipped without bash.
#
# PROMISE (program): Completion in bash asks the program for its commands and options.
command -v bash >/dev/null 2>&1 || exit 77
exec bash -s <<'END'
set -u
top=${top_srcdir:-.}
PATH=${top_builddir:-$PWD}:$PATH
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/docs/completion/gfe"

# What is offered for the last word of a command line, sorted, in one line.
offered() # WORD...
{
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _gfe gfe "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
}

expect() # WANTED WORD...
{
    local wanted=$1 got
    shift
    got=$(offered "$@")
    [ "$got" = "$wanted" ] && return
    printf '%s: offers "%s", expected "%s"\n' "$*" "$got" "$wanted"
    status=1
}

# Every command that the help lists, and nothing else.
commands=$(gfe --help | sed -n 's/^  \([a-z]\{2,\}\)   *[a-z].*/\1/p')
expect "$({ printf '%s\n' $commands --help --version; } | sort | tr '\n' ' ' | sed 's/ $//')" gfe ''
# Every option of every command.
for command in $commands; do
    options=$(gfe "$command" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
    for option in $options; do
        case " $(offered gfe "$command" -) " in
        *" $option "*) ;;
        *) printf 'gfe %s: %s is not offered\n' "$command" "$option"; status=1 ;;
        esac
    done
done
touch "$work/a.gft" "$work/b.gfl" "$work/c.txt"
mkdir "$work/folder"
cd "$work"
expect 'rules run' gfe ru
expect 'lce_for_pce0' gfe inspect b.gfl lce
expect 'engines' gfe inspect b.gfl eng
expect 'nv_pbdma' gfe inspect b.gfl regs nv_pb
expect 'gtx1060 gtx1060-3gb' gfe run --gpu gtx106
expect 'a.gft folder' gfe run ''
expect 'gtx1050 gtx1050ti gtx1060 gtx1060-3gb gtx680 gtx980' gfe record --gpu gtx
expect '' gfe record --gpu gtx1080
expect 'gtx1080ti' gfe run --gpu gtx1080
expect '' gfe run --gpu st
touch my-gpu.json
expect 'my-gpu.json' gfe run --gpu my
expect 'my-gpu.json' gfe gpus --export my
rm my-gpu.json
expect 'a.gft folder' gfe run --gpu gtx1060 ''
expect 'a.gft folder' gfe run --open-loop ''
expect 'b.gfl folder' gfe show ''
expect 'a.gft b.gfl folder' gfe hash ''
expect 'a.gft b.gfl c.txt folder' gfe run -o ''
expect 'svg' gfe show --as sv
expect 'amd-mqd' gfe decode --format amd-m
expect 'amd-aql' gfe decode -f amd-a
expect 'mi100' gfe decode --gpu mi1
expect '' gfe decode --gpu gtx
expect 'NV.WFI' gfe rules NV.WF
expect 'core.block_base_cycles=' gfe run --param core.block_b
expect 'core.block_to_sm= core.masked_grids=' gfe run --policy core
expect 'core.block_to_sm= core.masked_grids=' gfe discriminate core
expect 'cuda.channel_free=' gfe discriminate cuda.channel_free=x cuda.channel_f
expect 'folder' gfe discriminate a=b a=c ''
expect 'nv_pbdma' gfe regs nv_pb
expect 'c96f c997 c9b0 c9b5 c9b7 c9c0 c9d1' gfe regs --new c9
expect 'ADA_A ADA_COMPUTE_A' gfe regs --class ADA
expect '' gfe regs --class c997 nv_pb
expect 'nvt' gfe import nv
expect 'c.txt' gfe record -- ./x c.t
exit $status
END
