#!/bin/sh
# SPDX-License-Identifier: MIT
#
# make installcheck: the installed program starts, and a program outside this tree builds and runs
# against the installed library, shared and static, with the flags that pkg-config gives.
# From the Makefile: CC, CFLAGS, bindir, libdir, pkglibdir. With GFE_INSTALLED_KEEP the installed gfe is
# copied to that folder.
set -eu
: "${CC:?}" "${CFLAGS?}" "${bindir:?}" "${libdir:?}" "${pkglibdir:?}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

export PKG_CONFIG_PATH="$libdir/pkgconfig"
# The names of ours that this program uses for itself must not disturb the library.
cat >"$work/user.c" <<'END'
#include <gfe.h>
#include <stdio.h>

int chunk_write(void);
int chunk_write(void)
{
    return 1;
}

int main(void)
{
    puts(gfe_version());
    return 0;
}
END

version=$(pkg-config --modversion gfe)
# shellcheck disable=SC2046,SC2086 # flags are words
{
    $CC $CFLAGS $(pkg-config --cflags gfe) -o "$work/shared" "$work/user.c" $(pkg-config --libs gfe)
    $CC $CFLAGS $(pkg-config --cflags gfe) -o "$work/static" "$work/user.c" "$libdir/libgfe.a" \
        $(pkg-config --static --libs-only-l gfe | sed 's/-lgfe//')
}
test "$(LD_LIBRARY_PATH=$libdir "$work/shared")" = "$version"
test "$("$work/static")" = "$version"
test "$("$bindir/gfe" --version | head -n 1)" = "gfe $version"
test -e "$pkglibdir/libgfe-record.so"
[ -z "${GFE_INSTALLED_KEEP-}" ] || cp "$bindir/gfe" "$GFE_INSTALLED_KEEP/gfe"
echo "installed_test: gfe $version works from $bindir and $libdir"
