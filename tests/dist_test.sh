#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/dist_test.sh TARBALL
#
# The tarball of make dist has every file that git has, but for what only a checkout needs.
set -eu
[ $# -eq 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
tarball=$1
top=$(cd "$(dirname "$0")/.." && pwd)
git -C "$top" rev-parse HEAD >/dev/null 2>&1 || { echo 'dist_test: skipped: no git checkout'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tar -tf "$tarball" | sed -n 's,^[^/]*/\(.*[^/]\)$,\1,p' | sort >"$work/packed"
git -C "$top" ls-files | grep -vE '^\.ci/|^\.git|^m4/\.gitkeep$' | sort >"$work/kept"
[ "$(wc -l <"$work/kept")" -gt 1000 ] || { echo 'dist_test: FAILED: git lists few files'; exit 1; }
if [ -n "$(comm -23 "$work/kept" "$work/packed")" ]; then
    echo 'dist_test: FAILED: not in the tarball:'
    comm -23 "$work/kept" "$work/packed"
    exit 1
fi
echo "distcheck: $(wc -l <"$work/kept") files of git, all in the tarball"
