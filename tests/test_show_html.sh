#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe show --as html on the command line, and its pages in a browser: they open without a complaint,
# ask for nothing, and mouse and keys do what docs/html.md says. Without Chromium the latter is left
# out. BROWSER=... names another one; SHOTS=DIR keeps pictures of all that was looked at.
#
# PROMISE (views): In Chromium, by real clicks, keys and wheel: the page opens without a complaint
# and with one request, tells the right story, follows links, zooms, searches and plays, in light
# and dark, from 390 to 1920 pixels.
# LIMIT (views): The page was not tried in Firefox, in Safari or on a phone.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
build=$(cd "$top_builddir" && pwd)
gfe=$build/gfe
work=$(mktemp -d) || exit 1
# A browser's last process may still be writing.
trap 'for try in 1 2 3 4 5 6; do rm -rf "$work" 2>/dev/null && break; sleep 1; done' EXIT
cd "$work" || exit 1
LC_ALL=C
export LC_ALL
failures=0

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

"$gfe" run -o compute.gfl "$source/tests/golden/compute.gft" >run.txt || exit 1
"$gfe" run --gpu tx2 -o table1.gfl "$source/scenarios/amert2017-table1.json" >run.txt || exit 1
"$gfe" run -o streams.gfl "$source/tests/golden/hip_streams.gft" >run.txt || exit 1

# ---- the command ------------------------------------------------------------------------------

for name in compute table1 streams; do
    "$gfe" show --as html -o $name.html $name.gfl || fail "$name: status $?"
done
"$gfe" show --as html table1.gfl >out.html && cmp table1.html out.html ||
    fail 'to standard output: another page'
# What comes through a pipe is read twice, too; only the name in it differs.
cat table1.gfl >pipe.gfl
mkfifo fifo || exit 1
cat pipe.gfl >fifo &
"$gfe" show --as html -o fifo.html fifo || fail "from a FIFO: status $?"
wait
"$gfe" show --as html -o piped.html - <table1.gfl || fail "from standard input: status $?"
grep -q '<title>standard input on tx2</title>' piped.html || fail 'standard input has no name'
for page in fifo piped; do
    [ "$(wc -l <$page.html)" -eq "$(wc -l <table1.html)" ] || fail "$page: another page"
done

refused() # STATUS WORDS ARGUMENT...
{
    status=$1
    words=$2
    shift 2
    "$gfe" show --as html "$@" >out 2>err
    [ $? -eq "$status" ] && grep -q -e "$words" err && [ "$(wc -l <err)" -eq 1 ] ||
        fail "$*: $(cat err)"
}
refused 2 '--no-cuts has no meaning' --no-cuts table1.gfl
refused 2 '--width has no meaning' --width 100 table1.gfl
refused 1 'nowhere.gfl: No such file' nowhere.gfl
refused 2 'is the file that is read' -o table1.gfl table1.gfl
: >empty.gfl
refused 1 'empty.gfl' -o no.html empty.gfl
refused 1 'standard input' -o no.html - <empty.gfl
[ ! -e no.html ] || fail 'a page of nothing appeared'

# ---- in a browser -----------------------------------------------------------------------------

browser=${BROWSER:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
if [ -z "$browser" ] || [ ! -x "$build/tests/browse" ]; then
    [ "$failures" -eq 0 ] && echo 'there is no Chromium: pages were not opened' && exit 77
    exit 1
fi
shots=${SHOTS:-$work}

# Runs commands (standard input) and compares what they print with the given lines.
browse() # NAME EXPECTED
{
    if ! "$build/tests/browse" "$browser" "$work/profile" >"$1.out" 2>"$1.err"; then
        fail "$1: $(cat "$1.err" "$1.out")"
        return
    fi
    printf '%s\n' "$2" >"$1.expected"
    diff "$1.expected" "$1.out" || fail "$1: the page did otherwise"
}

ready="wait document.documentElement.dataset.ready === '1'"
# Where an operation is drawn: the middle of its first item that is in view, but not on an SM.
where='(name) => { const o = page.log.byName.get(name), b = page.lines.getBoundingClientRect();
 for (const t of page.log.tracks) for (let i = t.first; t.kind !== 6 && t.shown && i < t.first + t.items; i++)
 if (page.log.items.operation[i] === o && page.log.items.kind[i] === 4) { const [y, h] = itemBox(page.log, t, i);
 const x = page.xOf((page.log.items.u0[i] + page.log.items.u1[i]) / 2); return [b.left + x, b.top + y - page.top + 26 + h / 2]; } }'
where="(globalThis.where = $(printf '%s' "$where" | tr '\n' ' '), 1)"

# A scenario: click, story, link to who was in the way, search, keys, cursor, colours.
browse scenario "1
K4
800.016 ms|T.X1
1800019138461
K1
true
K4
true
K6
At 1.500 s
K1 6 of 6 blocks started, 2 on SMs fully dispatched|K4 4 of 4 blocks started, 4 on SMs fully dispatched|K5 0 of 2 blocks started, 0 on SMs queued
dark true
request file://$work/table1.html" <<END
size 1400 860 1
scheme light
open file://$work/table1.html
$ready
shot $shots/table1.png
eval $where
click where('K4')
wait document.querySelector('#story h2') !== null
eval document.querySelector('#story h2').textContent
eval [...document.querySelectorAll('#story table tr')].map((r) => r.querySelector('.time').textContent + '|' + r.querySelector('.rule').textContent).join()
eval [...document.querySelectorAll('#story li')].reduce((s, l) => s + Number(l.dataset.end) - Number(l.dataset.begin), 0)
shot $shots/table1-story.png
click (() => { const r = document.querySelector('#story table .link').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()
wait document.querySelector('#story h2').textContent.startsWith('K1')
eval document.querySelector('#story h2').textContent.slice(0, 2)
eval page.cursor === page.log.ops.queued[page.selected]
key Backspace
eval document.querySelector('#story h2').textContent
key 0
wait page.u1 - page.u0 === page.scale.u1 - page.scale.u0
wheel where('K4').concat(-300, 2)
wait page.u1 - page.u0 < (page.scale.u1 - page.scale.u0) * 0.6
eval Math.abs(page.scale.toTime(page.uOf(where('K4')[0] - page.lines.getBoundingClientRect().left)) - 1.5e12) < 1e10
key /
type k6
wait document.querySelectorAll('#list tr').length === 1
key Enter
wait !document.getElementById('story').hidden
eval document.querySelector('#story h2').textContent
key Escape
key 0
eval (page.setCursor(1.5e12), tab('state'), document.querySelector('#state h2').textContent)
eval [...document.querySelectorAll('#state tr')].filter((r) => r.textContent.includes('blocks started')).map((r) => [...r.cells].map((c) => c.textContent).join(' ')).join('|')
shot $shots/table1-state.png
scheme dark
wait document.documentElement.classList.contains('dark')
eval 'dark ' + (getComputedStyle(document.body).backgroundColor === 'rgb(20, 22, 26)')
shot $shots/table1-dark.png
said
END

# A recording, on a phone: idle time is left out, submissions have stories, links go up and down.
browse recording "true
submission:4
10.07 us = 4.15 us service + 5.92 us waiting
C1
1
K1
launch:2: K1, 30 blocks of 256 threads
false
true
true
request file://$work/compute.html" <<END
size 390 844 2
scheme light
open file://$work/compute.html#submission:4
$ready
eval page.scale.isCut && document.documentElement.scrollWidth <= 390
shot $shots/compute-phone.png
wait document.querySelector('#story h2') !== null
eval document.querySelector('#story h2').textContent
eval [...document.querySelectorAll('#story p')].find((p) => p.textContent.includes('=')).textContent
click ((l) => { l.scrollIntoView({ block: 'center' }); const r = l.getBoundingClientRect(); return [r.x + 4, r.y + 4]; })([...document.querySelectorAll('#story .pieces .link')].find((l) => l.textContent === 'copy:1'))
wait document.querySelector('#story h2').textContent === 'C1'
eval document.querySelector('#story h2').textContent
eval (location.hash = '#launch:2', 1)
wait document.querySelector('#story h2').textContent === 'K1'
eval document.querySelector('#story h2').textContent
eval document.querySelector('#story p').textContent.slice(0, 38)
key g
eval page.scale.isCut
key g
eval page.scale.isCut
eval [...document.querySelectorAll('button')].every((b) => b.hidden || b.textContent.trim() || b.getAttribute('aria-label'))
said
END

# Names in the address: of a block, by both of its names; of nothing, which the page says. It is ready
# when something has been drawn.
browse address "K1:7
gfe explain compute.gfl K1:7
true
K2:6
K1:7
There is no “K99” in this page
alert true
There is no “K1:30” in this page
There is no “<b>x</b>” in this page
K1 null
true
Click something
true
request file://$work/compute.html" <<END
size 390 844 2
scheme dark
open file://$work/compute.html#K1:7
$ready
eval document.querySelector('#story h2').textContent
eval document.querySelector('#story code').textContent
eval [...document.querySelectorAll('#story p')].some((p) => p.textContent.startsWith('K1 as a whole: '))
eval (resolve(page.log, 'block:4.6'), location.hash = '#block:4.6', 1) && (async () => { await new Promise((done) => addEventListener('hashchange', done)); return document.querySelector('#story h2').textContent; })()
eval (globalThis.to = async (hash) => { location.hash = hash; await new Promise((done) => setTimeout(done, 50)); return document.querySelector('#story').firstChild.textContent; }, to('#launch:2:7'))
eval to('#K99').then((t) => t.slice(0, 30))
shot $shots/compute-unknown.png
eval document.querySelector('#story p').getAttribute('role') + ' ' + ((r) => r.height > 0 && r.bottom <= innerHeight)(document.querySelector('#story p').getBoundingClientRect())
eval to('#K1:30').then((t) => t.slice(0, 32))
eval to('#<b>x</b>').then((t) => t.slice(0, 35))
eval to('#K1').then((t) => t + ' ' + document.querySelector('#story .bad'))
eval to('#K99').then(() => { page.go(resolve(page.log, 'K2')); return document.querySelector('#story .bad') === null; })
eval (page.none(), to('#')).then((t) => t.slice(0, 15))
eval (async () => { const busy = make('p'); busy.id = 'busy'; document.body.append(busy); delete document.documentElement.dataset.ready; const told = new Promise((done) => new MutationObserver(() => done(page.frames > 0)).observe(document.documentElement, { attributes: true, attributeFilter: ['data-ready'] })); const { log } = page; readLog = async () => log; main(); return told; })()
said
END

# AMD: queues, slots, copies of SDMA; play to the end of the window; browsers without inflate.
browse amd "Program,Queues,Slots (HQDs),SDMA,SE 0,SE 1,SE 2,SE 3
true
K9
true
true
true true
request file://$work/streams.html?inflate=own" <<END
size 1920 1080 1
scheme dark
open file://$work/streams.html?inflate=own
$ready
shot $shots/streams-dark.png
eval page.groups.map((group) => group.name).join()
eval page.log.stories.size > 10
eval (page.go(resolve(page.log, 'K9')), document.querySelector('#story h2').textContent)
shot $shots/streams-story.png
key f
eval page.u1 - page.u0 < page.scale.u1 - page.scale.u0
eval (globalThis.before = page.cursor, page.playing === undefined)
key Space
wait page.playing && page.cursor > before && !document.getElementById('state').hidden
key Space
wait !page.playing
eval page.show(), (() => { const { items } = page.log, cuts = page.scale.spans.filter((span) => span.isCut).map((span) => [page.xOf(span.u0), page.xOf(span.u1)]); let shorter = 0; const clear = page.log.tracks.every((t) => { for (let i = t.first; i < t.first + t.items; i++) { const x0 = page.xOf(items.u0[i]), x1 = page.xOf(items.u1[i]), [a, b] = uncut(page, x0, x1); shorter += b - a < x1 - x0 - 1; if (a < x0 || b > x1 || b - a > 1 && cuts.some(([c, d]) => c < b - 0.01 && d > a + 0.01)) return false; } return true; }); return clear + ' ' + (shorter > 0); })()
said
END

# Crowded SMs: an image that moved sideways is the one that is painted anew.
cat >crowd.json <<'END'
{ "gfe_scenario": 1, "name": "crowd", "processes": [{
  "streams": [{ "name": "a" }, { "name": "b" }], "tasks": [
    { "name": "A", "stream": "a", "release": 0, "iterations": 6, "calls": [{ "launch": { "name": "A", "blocks": 3000, "threads": 128, "work": 0.00002 } }] },
    { "name": "B", "stream": "b", "release": 0.0005, "iterations": 6, "calls": [{ "launch": { "name": "B", "blocks": 300, "threads": 256, "work": 0.0001 } }] }] }] }
END
"$gfe" run --gpu gtx1060 -o crowd.gfl crowd.json >run.txt || fail "crowd: status $?"
"$gfe" show --as html -o crowd.html crowd.gfl || fail "crowd: status $?"
browse crowd "true
true
[0]
request file://$work/crowd.html" <<END
size 1000 700 1
open file://$work/crowd.html
$ready
eval page.log.items.count > 19000
shot $shots/crowd.png
eval (page.show(page.scale.u0 + (page.scale.u1 - page.scale.u0) * 0.1, page.scale.u0 + (page.scale.u1 - page.scale.u0) * 0.7), page.scroll(1e6), globalThis.frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))), true)
eval (async () => { for (const by of [33, -60, 120, -10, 90, -3, 40]) { page.pan(by); await frame(); } globalThis.moved = page.log.tracks.filter((t) => t.image && isCrowded(page, t)).map((t) => [t, t.image.data.slice()]); page.painted++; page.draw(); await frame(); return [...new Set(moved.map(([t, old]) => t.image.data.reduce((n, byte, i) => n + (byte !== old[i]), 0)))]; })()
said
END

# Names of an enemy, in the file's name and in the program, are shown as they are and do nothing.
cat >hostile.json <<'END'
{ "gfe_scenario": 1, "name": "hostile", "processes": [{ "streams": [{ "name": "<i>" }], "tasks": [
    { "name": "</script><script>alert(1)</script>", "stream": "<i>", "release": 0, "iterations": 2,
      "calls": [{ "launch": { "name": "<img src=x onerror=alert(2)>", "blocks": 2, "threads": 64, "work": 0.001 } }] }] }] }
END
evil="<img src=y onerror=alert(3)>&amp;'.gfl"
"$gfe" run --gpu gtx1060 -o "$evil" hostile.json >run.txt || fail "hostile: status $?"
"$gfe" show --as html -o hostile.html "$evil" || fail "hostile: status $?"
browse hostile "<img src=y onerror=alert(3)>&amp;'.gfl on gtx1060
<img src=x onerror=alert(2)>
0 8
request file://$work/hostile.html" <<END
size 1000 700 1
open file://$work/hostile.html
$ready
eval document.getElementById('title').textContent
eval (page.go({ operation: 0, block: -1 }), tab('state'), tab('list'), tab('story'), document.querySelector('#story h2').textContent)
shot $shots/hostile.png
eval document.querySelectorAll('img, i i, script:not([type])').length - 1 + ' ' + document.querySelectorAll('header button').length
said
END

[ "$failures" -eq 0 ]
