#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/quality.md is what tests/promises.sh makes of the marks in the tests.
# GFE_UPDATE_GOLDEN=1 writes the page anew.
#
# PROMISE (program): Each promise of docs/quality.md stands above a test that is run.
set -eu
top_srcdir=$(cd "${top_srcdir:-.}" && pwd)
export top_srcdir
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

if ! sh "$top_srcdir/tests/promises.sh" >"$dir/page"; then
    echo 'marks of promises are wrong (tests/promises.sh says how to write them)'
    status=1
elif [ -n "${GFE_UPDATE_GOLDEN:-}" ]; then
    cat "$dir/page" >"$top_srcdir/docs/quality.md"
elif ! diff -u "$top_srcdir/docs/quality.md" "$dir/page"; then
    echo 'docs/quality.md is stale: GFE_UPDATE_GOLDEN=1 tests/test_promises.sh'
    status=1
fi

# A tree with one test and one script, for what is refused.
small=$dir/small
mkdir -p "$small/tests"
echo 'test_small.sh' >"$small/Makefile.am"
printf '#!/bin/sh\n# PROMISE (log): A script.\n# It goes on.\ntrue\n' >"$small/tests/test_small.sh"
printf '%s\n' '/* PROMISE (log): All of it. */' '#include <x.h>' '' '/* PROMISE (log): One. */' \
    'START_TEST(one)' 'END_TEST' '/* PROMISE (log): Three.' ' */' 'START_TEST(three)' 'END_TEST' \
    'tcase_add_test(tcase, one);' 'tcase_add_test(tcase, three);' >"$small/tests/test_small.c"

script=$top_srcdir/tests/promises.sh
promises()
{
    top_srcdir=$small sh "$script" 2>"$dir/err"
}

# The script takes marks from tests/*_test.sh and tests/same_log.sh, too.
: >"$small/tests/small_test.sh"
: >"$small/tests/same_log.sh"
promises >"$dir/page" || {
    echo "a good tree is refused: $(cat "$dir/err")"
    status=1
}
# shellcheck disable=SC2016 # backticks of Markdown
for line in '| All of it. | `test_small.c` |' '| One. | `test_small.c`: `one` |' '| Three. | `test_small.c`: `three` |' \
    '| A script. It goes on. | `test_small.sh` |'; do
    grep -qxF "$line" "$dir/page" || {
        echo "the page lacks: $line"
        status=1
    }
done

refused() # MESSAGE LINE...
{
    message=$1
    shift
    printf '%s\n' "$@" >"$small/tests/test_bad.c"
    if promises >"$dir/page"; then
        echo "not refused: $message"
        status=1
    elif ! grep -qF "$message" "$dir/err"; then
        echo "no message '$message' but: $(cat "$dir/err")"
        status=1
    fi
    rm "$small/tests/test_bad.c"
}

refused 'a mark above no test' '/* PROMISE (log): Two. */' 'int two;'
refused 'a mark above no test' '/* PROMISE (log): At the end. */'
refused 'two is in no test case' '/* PROMISE (log): Two. */' 'START_TEST(two)' 'END_TEST'
refused 'no area of promises: attic' '/* PROMISE (attic): Two. */' 'START_TEST(two)' 'x(two);'
refused 'ends with a full stop' '/* PROMISE (log): Two */' 'START_TEST(two)' 'x(two);'
refused 'a comment of its own' ' * PROMISE (log): Two.' 'START_TEST(two)' 'x(two);'
: >"$small/Makefile.am"
if promises >"$dir/page" || ! grep -q 'test_small.sh is in no list' "$dir/err"; then
    echo 'a script that no list has is not noticed'
    status=1
fi

exit "$status"
