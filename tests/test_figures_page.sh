#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/figures.md prints what its commands print (tests/run_page.sh says which lines are commands),
# and shows the pictures that they make.  GFE_UPDATE_GOLDEN=1 renews both.
#
# PROMISE (views): The pictures and commands of docs/figures.md give what the page shows.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
PATH=$(cd "$top_builddir" && pwd):$PATH
page=$source/docs/figures.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ln -s "$source/tests" tests
ln -s "$source/scenarios" scenarios
LC_ALL=C
export PATH LC_ALL

status=0
sh tests/run_page.sh "$page" >now.md || status=1
if [ "$status" -eq 0 ] && [ "${GFE_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp now.md "$page" && cp fig*.svg "$source/docs/figures/" || status=1
fi
diff "$page" now.md || status=1
pictures=$(sed -n 's,^!\[.*](figures/\(.*\))$,\1,p' "$page")
[ "$(printf '%s\n' "$pictures" | wc -l)" -eq 7 ] || status=1
for picture in $pictures; do
    if ! cmp "$picture" "$source/docs/figures/$picture"; then
        echo "$picture has changed"
        status=1
    fi
done
exit $status
