#!/bin/sh
# SPDX-License-Identifier: MIT
# make figures draws what is in docs/figures, byte for byte, docs/paper-figures.md shows all of its
# figures, and the drawings are well-formed and complete.  GFE_UPDATE_GOLDEN=1 renews them.
#
# PROMISE (views): `make figures` writes the pictures of the README, of docs/figures.md and of
# three papers byte for byte, and says when rsvg-convert is missing.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
PATH=$(cd "$top_builddir" && pwd):$PATH
export PATH
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

fail()
{
    echo "$*"
    status=1
}

# As where rsvg-convert is not installed: what is missing is said, and is no error.
RSVG_CONVERT=$work/none sh "$source/docs/tools/figures.sh" "$source" "$work/out" >"$work/said" 2>&1 ||
    fail "figures.sh failed: $(cat "$work/said")"
grep -q 'no PDF files: .* is not installed' "$work/said" || fail "that there are no PDF files is not said"

if [ "${GFE_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp "$work"/out/*.svg "$source/docs/figures/"
fi
for file in "$work"/out/*.svg; do
    cmp "$file" "$source/docs/figures/${file##*/}" || fail "${file##*/} has changed"
    [ "$(tail -n 1 "$file")" = '</svg>' ] || fail "${file##*/} is not complete"
    ! grep -qE 'nan|inf"' "$file" || fail "${file##*/} has numbers that are none"
done
for file in "$source"/docs/figures/*.svg; do
    [ -f "$work/out/${file##*/}" ] || fail "${file##*/} is not drawn"
    grep -q "figures/${file##*/})" "$source/docs/paper-figures.md" "$source/docs/figures.md" "$source/README.md" ||
        fail "no page shows ${file##*/}"
done
count=$(find "$work/out" -name '*.svg' | wc -l)
[ "$count" -ge 25 ] || fail "only $count figures were drawn"

# What the figures have to show, by their numbers.  Measured points: 60 of each kind.
[ "$(grep -c '<circle class="f5"' "$work/out/otterness2022-fig9.svg")" -eq 61 ] || fail "measured points of SE-packed"
[ "$(grep -c '<circle class="o4"' "$work/out/otterness2022-fig9.svg")" -eq 61 ] || fail "measured points of SE-distributed"

# A chart that is none is refused in one line.
for chart in 'series 1 line a' 'panel 10 3 3 lin y' 'xaxis 0 1 x
panel 10 0 1 lin y
1 2'; do
    if printf '%s\n' "$chart" | awk -f "$source/docs/tools/plot.awk" >"$work/bad.svg" 2>"$work/bad"; then
        fail "taken as a chart: $chart"
    fi
    [ "$(wc -l <"$work/bad")" -eq 1 ] && [ ! -s "$work/bad.svg" ] || fail "not refused in a line: $chart"
done

if command -v rsvg-convert >/dev/null 2>&1; then
    SOURCE_DATE_EPOCH=0 rsvg-convert -f pdf -o "$work/a.pdf" "$work/out/bakita2024-fig8.svg" || fail "no PDF"
    [ "$(head -c 5 "$work/a.pdf")" = '%PDF-' ] || fail "not a PDF file"
fi
exit $status
