#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/figures.md prints what its commands print, and shows the pictures that they make.  The
# commands are those of the page: in its console blocks each line that begins with "$ " is run,
# what follows up to the next such line is compared.  GFE_UPDATE_GOLDEN=1 renews both.
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

# The page again, with what the commands print now.
inside=0
commands=0
while IFS= read -r line; do
    case $line in
    '```console')
        inside=1
        ;;
    '```')
        inside=0
        ;;
    '$ '*)
        if [ "$inside" -eq 1 ]; then
            printf '%s\n' "$line"
            sh -c "${line#??}" 2>&1 </dev/null || echo "(exit status $?)"
            commands=$((commands + 1))
            continue
        fi
        ;;
    esac
    [ "$inside" -eq 1 ] && [ "$line" != '```console' ] || printf '%s\n' "$line"
done <"$page" >now.md

status=0
if [ "$commands" -lt 20 ]; then
    echo "only $commands commands were found in the page"
    status=1
fi
if [ "${GFE_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp now.md "$page" && cp fig*.svg "$source/docs/figures/" || status=1
fi
diff "$page" now.md || status=1
grep -q '^(exit status' now.md && status=1
pictures=$(sed -n 's,^!\[.*](figures/\(.*\))$,\1,p' "$page")
[ "$(printf '%s\n' "$pictures" | wc -l)" -eq 7 ] || status=1
for picture in $pictures; do
    if ! cmp "$picture" "$source/docs/figures/$picture"; then
        echo "$picture has changed"
        status=1
    fi
done
exit $status
