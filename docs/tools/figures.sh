#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the figures of docs/paper-figures.md, the pictures of docs/figures.md and the README's, as SVG, and where
# rsvg-convert (librsvg2-bin) is installed as PDF, too.  gfe has to be in the path:
#
#     figures.sh SOURCE-FOLDER OUT-FOLDER          make figures does it for docs/figures
#
# The SVG files come out the same byte for byte on any machine (tests/test_figures_page.sh compares
# them); the PDF files depend on rsvg-convert and the fonts that it finds.  In each figure everything
# is emulated, but for the points "measured" of Otterness and Anderson's Fig. 9, which are the
# authors' published data of isolated runs (tests/radeon_vii_figure9.h).
set -eu

source=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
LC_ALL=C
export LC_ALL

width=720
plot=$source/docs/tools/plot.awk
# A block of a register-level program has this many cycles for each warp: 5 ms of a GTX 1060.
block="--param core.block_base_cycles=0 --param core.block_warp_cycles=7530000"

# ---- what all use ---------------------------------------------------------------------------

run() # LOG GFE-RUN-ARGUMENT...
{
    log=$1
    shift
    gfe run -o "$log.gfl" "$@" >"$log.txt" || {
        echo "figures.sh: gfe run $* failed" >&2
        exit 1
    }
}

registers() # NAME GFE-RUN-ARGUMENT...: a program of register writes
{
    gfe import bus "$source/tests/golden/$1.bus" -o "$1.gft" >"$1.import"
    name=$1
    shift
    run "$name" "$@" "$name.gft"
}

picture() # FIGURE LOG TITLE GFE-SHOW-OPTION...
{
    figure=$1 log=$2 title=$3
    shift 3
    gfe show --as svg --width $width --title "$title" "$@" -o "$out/$figure.svg" "$log.gfl"
}

chart() # FIGURE: of $1.chart
{
    awk -f "$plot" "$1.chart" >"$1.svg"
    mv "$1.svg" "$out/$1.svg"
}

# Turns of an operation on an engine, in ms, each a step higher than the last: FROM TO NUMBER.
turns() # LOG ENGINE OPERATION
{
    gfe show --as csv "$1.gfl" | awk -F, -v engine="$2" -v label="$3" '
        $1 == engine && $2 == "running" && $7 == label { print $3 / 1e9, $4 / 1e9, ++n }'
}

# How far a channel's copy has come: ms, MB.
progress() # LOG CHANNEL
{
    gfe show --as events "$1.gfl" | awk -v channel="channel_id=$2" '
        $3 ~ /^COPY_(START|SUSPEND|RESUME|END)$/ && $5 == channel {
            moved = 0
            for (i = 6; i <= NF; i++)
                if ($i ~ /^moved_bytes=/ || ($3 == "COPY_END" && $i ~ /^byte_count=/)) {
                    split($i, pair, "=")
                    moved = pair[2]
                }
            print $1 / 1e3, moved / 1e6
        }'
}

# The same turns as bands of a chart.
bands() # LOG ENGINE OPERATION
{
    turns "$1" "$2" "$3" | awk '{ print "band", $1, $2 }'
}

# ---- Amert et al. 2017 ----------------------------------------------------------------------

amert_blocks() # FIGURE TABLE
{
    run "table$2" --gpu tx2 "$source/scenarios/amert2017-table$2.json"
    picture "amert2017-fig$1" "table$2" "Amert et al. 2017, Fig. $1, emulated"
}

# Threads of blocks that have begun and not ended, as the paper counts them: also those of blocks
# that have been stopped.
threads() # LOG KERNEL
{
    gfe show --as csv "$1.gfl" | awk -F, -v label="$2" '
        $2 == "block" && $7 == label {
            if (!($6 in from)) {
                from[$6] = $3
                threads[$6] = $15
            }
            to[$6] = $4
        }
        END {
            for (block in from) {
                printf "%.0f %d\n", from[block], threads[block]
                printf "%.0f %d\n", to[block], -threads[block]
            }
        }' | sort -n | awk '
        $1 != at { step() }
        { now += $2 }
        END { step() }
        function step() {
            if (now != was) {
                print at / 1e9, was + 0
                print at / 1e9, now
            }
            was = now
            at = $1
        }'
}

amert_threads()
{
    run processes --gpu tx2 "$source/scenarios/amert2017-fig9-processes.json"
    run tasks --gpu tx2 "$source/scenarios/amert2017-fig9-tasks.json"
    {
        echo "title Amert et al. 2017, Fig. 9, emulated"
        echo "sub Threads of blocks that have begun and not ended, Jetson TX2"
        echo "xaxis 0 1300 time (ms)"
        for kernel in "processes P1 process_1" "processes P2 process_2" "tasks T1 task_1" "tasks T2 task_2"; do
            # shellcheck disable=SC2086 # three words
            set -- $kernel
            echo "panel 64 0 5000 lin threads"
            echo "name $3" | tr _ ' '
            echo "series $([ "$1" = processes ] && echo 5 || echo 4) line $(
                [ "$1" = processes ] && echo two processes: time-sliced || echo two tasks of one process)"
            threads "$1" "$2"
        done
    } >amert2017-fig9.chart
    chart amert2017-fig9
}

# ---- Bakita and Anderson 2024 ---------------------------------------------------------------

bakita_streams()
{
    for channels in 8 9; do
        run "fig5-$channels" --gpu gtx1060-3gb --param cuda.channels=$channels \
            "$source/scenarios/bakita2024-fig5.json"
        picture "bakita2024-fig5-$channels" "fig5-$channels" \
            "Bakita and Anderson 2024, Fig. 5, emulated: $channels channels"
    done
}

bakita_compute()
{
    # shellcheck disable=SC2086 # words
    registers fig6 $block
    {
        echo "title Bakita and Anderson 2024, Fig. 6, emulated"
        echo "sub Two tasks that compute on a GTX 1060 3GB; each turn is drawn a step higher than the last"
        for window in "0 204 0 34 200" "110 122 0 16 90"; do
            # shellcheck disable=SC2086 # numbers
            set -- $window
            echo "xaxis $1 $2 time (ms)"
            echo "panel $5 $3 $4 lin turn"
            [ "$1" -eq 0 ] || echo "name the same, 12 ms of it: never both at once"
            echo "series 4 spans task 1"
            turns fig6 GR0 K1
            echo "series 5 spans task 2"
            turns fig6 GR0 K2
        done
    } >bakita2024-fig6.chart
    chart bakita2024-fig6
}

bakita_copies()
{
    registers fig7
    {
        echo "title Bakita and Anderson 2024, Fig. 7, emulated"
        echo "sub Two tasks that copy from the GPU to the CPU, GTX 1060 3GB"
        echo "xaxis 0 22 time (ms)"
        echo "panel 220 0 140 lin copied (MB)"
        for channel in 1 2; do
            echo "series $((3 + channel)) line task $channel"
            progress fig7 $channel
        done
    } >bakita2024-fig7.chart
    chart bakita2024-fig7
}

bakita_runlists()
{
    # shellcheck disable=SC2086 # words
    registers fig8 $block
    {
        echo "title Bakita and Anderson 2024, Fig. 8, emulated"
        echo "sub Four tasks on a GTX 1080 Ti: one computes, one computes and copies, two copy"
        echo "key exec+copy copies"
        echo "xaxis 0 24 time (ms)"
        echo "panel 120 0 8 lin turn"
        echo "name (a) compute intervals"
        bands fig8 LCE2 C1
        echo "series 4 spans compute only"
        turns fig8 GR0 K1
        echo "series 5 spans exec+copy"
        turns fig8 GR0 K2
        echo "panel 160 0 80 lin copied (MB)"
        echo "name (b) copy progress"
        bands fig8 LCE2 C1
        echo "series 5 line exec+copy"
        progress fig8 3
        echo "series 2 line copy only"
        progress fig8 4
        echo "series 6 dash another copy only"
        progress fig8 5
    } >bakita2024-fig8.chart
    chart bakita2024-fig8
}

bakita_one_runlist()
{
    # shellcheck disable=SC2086 # words
    registers fig9 $block
    {
        echo "title Bakita and Anderson 2024, Fig. 9, emulated"
        echo "sub A task that computes and one that copies on the Jetson TX2, which has one runlist"
        echo "key the copy makes progress"
        echo "xaxis 0 16 time (ms)"
        echo "panel 60 0 2 lin turn"
        echo "name (a) compute: one interval, unbroken"
        bands fig9 GRCE0/LCE0 C1
        echo "series 4 spans exec_logger"
        turns fig9 GR0 K1
        echo "panel 180 0 180 lin copied (MB)"
        echo "name (b) copy progress"
        bands fig9 GRCE0/LCE0 C1
        echo "series 5 line copy_monitor"
        progress fig9 2
    } >bakita2024-fig9.chart
    chart bakita2024-fig9
}

# When copies to the host begin, and how long they take, in ms.
copies() # LOG
{
    gfe show --as csv "$1.gfl" | awk -F, '
        $1 ~ /CE/ && $2 == "running" && $7 ~ /^reader/ { print $3 / 1e9, $5 / 1e9 }'
}

bakita_uploads()
{
    {
        echo "title Bakita and Anderson 2024, Fig. 10, emulated"
        echo "sub How long each copy of 8 MiB from the GPU to the CPU takes, alone and beside texture uploads"
        echo "key a texture is uploaded"
        echo "xaxis 0 68 begin of the copy (ms)"
        for gpu in rtx6000ada:"RTX 6000 Ada":5:dots gtx1080ti:"GTX 1080 Ti":4:rings; do
            model=${gpu%%:*}
            rest=${gpu#*:}
            run "uploads-$model" --gpu "$model" "$source/scenarios/graphics_uploads.json"
            echo "panel 130 0 1.6 lin copy takes (ms)"
            echo "name ${rest%%:*}"
            gfe show --as csv "uploads-$model.gfl" | awk -F, '
                $1 == "GRCE0/LCE0" && $2 == "running" && $7 ~ /^frame/ { print "band", $3 / 1e9, $4 / 1e9 }'
            rest=${rest#*:}
            echo "series ${rest%%:*} ${rest#*:} copy to the host, $model"
            copies "uploads-$model"
        done
    } >bakita2024-fig10.chart
    chart bakita2024-fig10
}

# ---- Otterness and Anderson 2022 ------------------------------------------------------------

otterness_threads()
{
    sed 's/"max_iterations": 10/"max_iterations": 1/' "$source/scenarios/otterness2022-mm1024.json" >once.json
    run mm1024 --gpu radeon-vii once.json
    picture otterness2022-fig7a mm1024 "Otterness and Anderson 2022, Fig. 7 (a), emulated: MM1024 alone" \
        --view threads
    for other in b:mm1024 c:mm256; do
        run "against-${other#*:}" --gpu radeon-vii "$source/scenarios/otterness2022-mm1024-${other#*:}.json"
        picture "otterness2022-fig7${other%%:*}" "against-${other#*:}" \
            "Otterness and Anderson 2022, Fig. 7 (${other%%:*}), emulated: MM1024 against $(
                echo "${other#*:}" | tr m M)" --view threads
    done
}

# The rows of the measured figure: PACKED (CUs of each shader engine), us, SPREAD, us.
measured()
{
    sed -n 's/^ *{{\(.*\)}, \(.*\), {\(.*\)}, \(.*\)},.*/\1;\2;\3;\4/p' "$source/tests/radeon_vii_figure9.h" |
        tr -d ' '
}

# The mask, bit 0 first, of so many CUs of each shader engine (A.M1), without what is behind the last.
mask() # "3,3,2,2"
{
    awk -v cus="$1" 'BEGIN {
        split(cus, of, ",")
        for (cu = 0; cu < 15; cu++)
            for (engine = 1; engine <= 4; engine++)
                printf "%d", cu < of[engine]
    }'
}

# Median of ten response times of MM1024 with that mask, ms.
response() # "3,3,2,2"
{
    sed "s/\"compute_unit_mask\": \"1*\"/\"compute_unit_mask\": \"$(mask "$1")\"/" \
        "$source/scenarios/otterness2022-mm1024.json" >masked.json
    gfe run --gpu radeon-vii masked.json | awk '$1 == "0" && NF >= 11 { print $7; found = 1 } END { exit !found }'
}

otterness_masks()
{
    measured >measured.rows
    count=0
    : >packed.model
    : >spread.model
    while IFS=';' read -r packed packed_us spread spread_us; do
        count=$((count + 1))
        echo "$count $(response "$packed")" >>packed.model
        echo "$count $(response "$spread")" >>spread.model
    done <measured.rows
    {
        echo "title Otterness and Anderson 2022, Fig. 9: emulated and measured"
        echo "sub Response time of MM1024 alone on a Radeon VII, by the CUs that its mask enables"
        echo "xaxis 0 60 enabled CUs"
        echo "panel 280 2 200 log response time (ms)"
        echo "series 5 line SE-packed, emulated"
        cat packed.model
        echo "series 4 dash SE-distributed, emulated"
        cat spread.model
        echo "series 5 dots SE-packed, measured (the authors' data)"
        awk -F';' '{ print NR, $2 / 1e3 }' measured.rows
        echo "series 4 rings SE-distributed, measured (the authors' data)"
        awk -F';' '{ print NR, $4 / 1e3 }' measured.rows
    } >otterness2022-fig9.chart
    chart otterness2022-fig9
}

# ---- other pages' ---------------------------------------------------------------------------

readme_picture()
{
    run compute "$source/tests/golden/compute.gft"
    gfe show --as svg -o "$out/compute.svg" compute.gfl
}

# The console blocks of docs/figures.md, run one after the other as it says.
page_pictures()
{
    mkdir page
    ln -s "$source/tests" "$source/scenarios" page/
    awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside && /^\$ / { print substr($0, 3) }' \
        "$source/docs/figures.md" >page/commands
    (cd page && sh -e ./commands >printed)
    cp page/*.svg "$out/"
}

amert_blocks 3 1
amert_blocks 5 2
amert_blocks 6 3
amert_blocks 7 4
amert_blocks 8 5
amert_threads
bakita_streams
bakita_compute
bakita_copies
bakita_runlists
bakita_one_runlist
bakita_uploads
otterness_threads
otterness_masks
readme_picture
page_pictures

convert=${RSVG_CONVERT:-rsvg-convert}
if ! command -v "$convert" >/dev/null 2>&1; then
    echo "figures.sh: no PDF files: $convert is not installed (Debian: librsvg2-bin)"
    exit 0
fi
# No date of today in them.
SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH
for file in "$out"/*.svg; do
    "$convert" -f pdf -o "${file%.svg}.pdf" "$file"
done
