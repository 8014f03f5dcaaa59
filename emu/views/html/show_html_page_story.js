// SPDX-License-Identifier: MIT
// The story of what is selected, and the list of operations.  All text goes into the page as text,
// never as HTML: names come from logs, which nobody has to trust.

function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// ---- names -----------------------------------------------------------------------------------

// What a name leads to: {operation, block}, {track}, or null.  Names are those of gfe explain
// (emu/analysis/explain/operation_name.h).
function resolve(log, name) {
  const block = /^block:(\d+)\.(\d+)$/.exec(name) || /^(.+):(\d+)$/.exec(name);
  if (log.byName.has(name)) return { operation: log.byName.get(name), block: NONE };
  if (block) {
    const of = block[0].startsWith('block:') ? log.byId.get('0:' + Number(block[1])) : log.byName.get(block[1]);
    if (of !== undefined && log.ops.kind[of] === 0 && Number(block[2]) < log.ops.blocks[of]) return { operation: of, block: Number(block[2]) };
  }
  const track = log.tracks.find((one) => one.name === name);
  return track ? { track } : null;
}

function link(view, name, place) {
  const button = make('button', 'link', name);
  button.type = 'button';
  button.addEventListener('click', () => view.go(place));
  return button;
}

function linkOr(view, name) {
  const place = resolve(view.log, name);
  return place ? link(view, name, place) : name;
}

// Words with links where they are names, of up to three words.
function linked(view, text) {
  const parts = text.split(/(\s+)/), out = [];
  for (let i = 0; i < parts.length; i++) {
    let found = null;
    for (let words = 3; words > 0 && !found; words--) {
      const [, before, name, after] = /^([[("]*)(.*?)([\]).,;:"]*)$/.exec(parts.slice(i, i + 2 * words - 1).join(''));
      const place = name && /\S/.test(name) && (words > 1 || /[A-Z0-9]/.test(name)) ? resolve(view.log, name) : null;
      if (!place || place.operation === view.selected && place.block === NONE) continue;
      found = [before, link(view, name, place), after];
      i += 2 * words - 2;
    }
    out.push(...(found || [parts[i]]));
  }
  return out;
}

function ruleOf(log, label) {
  return Object.values(log.head.rules).find((rule) => rule[0] === label);
}

function ruleWords(log, label) {
  const rule = ruleOf(log, label);
  return rule ? rule[1] + ' (' + rule[2] + ', enforced by ' + rule[3] + ')' : '';
}

// ---- stories ---------------------------------------------------------------------------------

// Waits of a story by rule, longest first: [label, time, who was in the way in the longest].
function waitsOfStory(story) {
  const rules = new Map();
  for (const [length, kind, rule, , by] of story.p) {
    if (kind !== 1) continue;
    const row = rules.get(rule) || { rule, sum: 0, most: 0, by: null };
    row.sum += length;
    if (length > row.most) [row.most, row.by] = [length, by];
    rules.set(rule, row);
  }
  return [...rules.values()].sort((a, b) => b.sum - a.sum);
}

function totalOf(story) {
  return story.p.reduce((sum, piece) => sum + piece[0], 0);
}

function pieceItem(view, piece, begin, first, told) {
  const [length, kind, rule, words, by] = piece, item = make('li', ['', 'wait', 'other', 'other'][kind]);
  const time = make('div', 'time', make('span', '', '+' + timeText(begin - first)), make('span', '', timeText(length)));
  item.append(time);
  item.dataset.begin = begin;
  item.dataset.end = begin + length;
  if (kind === 3) {
    item.append(rule + ' shorter piece' + (rule === 1 ? '' : 's') + ', of which ' + timeText(words) + ' waiting');
    return item;
  }
  item.append(...linked(view, words));
  if (kind === 1 && rule) {
    if (!words.includes('(' + rule + ')')) item.append(' ', make('span', 'rule', rule));
    if (!told.has(rule) && ruleWords(view.log, rule)) item.append(make('p', 'faint', ruleWords(view.log, rule)));
    told.add(rule); // what a rule says stands where it comes first
  }
  if (kind === 1 && by && !words.includes(by)) item.append(make('p', '', 'In the way: ', linkOr(view, by)));
  item.addEventListener('dblclick', () => view.zoomTo(begin, begin + length));
  time.addEventListener('click', () => view.setCursor(begin));
  return item;
}

function storyBar(story) {
  const bar = make('div', 'bar'), total = totalOf(story) || 1;
  for (const [length, kind] of story.p) {
    const part = make('i', ['', 'wait', 'other', 'other'][kind]);
    part.style.width = 100 * length / total + '%';
    bar.append(part);
  }
  bar.setAttribute('role', 'img');
  bar.setAttribute('aria-label', 'Service and waiting, in the order of time');
  return bar;
}

// Its time is that of its story, which begins with the call; else the GPU's.
function operationFacts(view, operation, story) {
  const { ops } = view.log, facts = [];
  const begin = story ? story.b : ops.queued[operation], end = story && story.f ? story.b + totalOf(story) : ops.end[operation];
  if (ops.kind[operation] === 0 && !story)
    facts.push(ops.blocks[operation] + (ops.blocks[operation] === 1 ? ' block of ' : ' blocks of ') + ops.threads[operation] + ' threads');
  facts.push('from ' + (isFinite(end) ? rangeText(begin, end) : timeText(begin) + '; it does not end in this log'));
  if (isFinite(ops.start[operation]) && ops.kind[operation] < 3)
    facts.push('started after ' + timeText(ops.start[operation] - begin));
  return facts.join(', ');
}

function storyNone(view, operation) {
  const { log } = view;
  return make('p', 'faint', 'This page has no story of it (it has ' + log.stories.size + ', and those in its window). ',
    make('code', '', 'gfe explain ' + log.head.log + ' ' + log.ops.names[operation]), ' tells it.');
}

function blockWords(view, operation, block) {
  const { log } = view, { items } = log;
  for (const track of log.tracks) {
    if (track.kind !== T.SM) continue;
    for (let i = track.first; i < track.first + track.items; i++)
      if (items.operation[i] === operation && items.number[i] === block)
        return make('p', '', 'Block ' + block + ' ran on ', link(view, track.name, { track }), ' from ' + rangeText(items.begin[i], items.end[i])
          + ', for ' + timeText(items.end[i] - items.begin[i]) + '. ',
          make('code', '', 'gfe explain ' + log.head.log + ' ' + log.ops.names[operation] + ':' + block), ' tells its own story.');
  }
  return null;
}

function storyWaits(view, story) {
  const rows = waitsOfStory(story);
  if (rows.length === 0) return null;
  const table = make('table', '');
  for (const row of rows)
    table.append(make('tr', '', make('td', '', make('span', 'rule', row.rule)), make('td', '', row.by ? 'because of ' : '', row.by ? linkOr(view, row.by) : ''),
      make('td', 'time', timeText(row.sum))));
  return make('div', '', make('h3', '', 'Waits, by rule'), table);
}

// What belongs to it: entries of a submission, what an entry starts.
function storyBelow(view, name) {
  const { log } = view, out = [];
  for (const [operation, story] of log.stories)
    if (story.o === name && out.length < 24) out.push(out.length ? ', ' : 'Below it: ', link(view, story.n || log.ops.names[operation], { operation, block: NONE }));
  return out.length ? make('p', '', ...out) : '';
}

function showOperation(view, panel, operation, block) {
  const { log } = view, story = log.stories.get(operation);
  panel.append(make('h2', '', log.ops.names[operation] + (block === NONE ? '' : ':' + block)));
  if (story) panel.append(make('p', '', story.n ? story.n + ': ' : '', story.w, story.o ? make('span', 'faint', ' \u2013 ', linkOr(view, story.o)) : null));
  panel.append(make('p', 'faint', operationFacts(view, operation, story)));
  if (story) panel.append(storyBelow(view, story.n || log.ops.names[operation]));
  if (block !== NONE) panel.append(blockWords(view, operation, block) || '');
  if (!story) {
    panel.append(storyNone(view, operation));
    return;
  }
  const total = totalOf(story), wait = story.p.reduce((sum, piece) => sum + (piece[1] === 1 ? piece[0] : piece[1] === 3 ? piece[3] : 0), 0);
  panel.append(make('p', '', (block === NONE ? '' : log.ops.names[operation] + ' as a whole: ') + timeText(total) + ' = ' + timeText(story.s) + ' service + ' + timeText(wait) + ' waiting'
    + (total - story.s - wait > 0 ? ' + ' + timeText(total - story.s - wait) + ' unattributed' : '') + (story.f ? '' : ' (not complete)')));
  panel.append(storyBar(story), storyWaits(view, story) || '');
  const list = make('ol', 'pieces');
  const told = new Set();
  let begin = story.b;
  for (const piece of story.p) {
    list.append(pieceItem(view, piece, begin, story.b, told));
    begin += piece[0];
  }
  panel.append(make('h3', '', 'Piece by piece'), list);
}

function showTrack(view, panel, track) {
  const counts = new Map(), { items } = view.log;
  panel.append(make('h2', '', track.name));
  for (let i = track.first; i < track.first + track.items; i++) {
    const row = counts.get(items.kind[i]) || [0, 0];
    counts.set(items.kind[i], [row[0] + 1, row[1] + items.end[i] - items.begin[i]]);
  }
  const table = make('table', '');
  for (const [kind, [count, sum]] of counts)
    table.append(make('tr', '', make('td', '', KINDS[kind][0]), make('td', '', count + '\u00d7'), make('td', 'time', sum ? timeText(sum) : '')));
  panel.append(table);
}

// An item that is no operation: what it is, and of a wait who was in the way.
function itemWords(view, i) {
  const { log } = view, { items, waits } = log, kind = items.kind[i], lines = [];
  const label = itemLabel(log, i), begin = items.begin[i], end = items.end[i];
  lines.push((label ? label + ': ' : '') + KINDS[kind][0] + (kind === K.BLOCK ? ' ' + items.number[i] : ''));
  if (kind === K.WAIT) {
    const blocker = blockerOf(view, items.number[i]);
    if (blocker) lines.push('because of ' + blocker);
    const told = log.head.rules[waits.rule[items.number[i]]];
    if (told) lines.push(told[1]);
  }
  if (kind >= K.WRITE && kind <= K.RELEASE) lines.push('0x' + items.place[i].toString(16) + (kind === K.WRITE ? ', ' + items.number[i] + ' bytes' : ' = ' + items.number[i]));
  lines.push(begin === end ? 'at ' + timeText(begin) : timeText(begin) + ' + ' + timeText(end - begin) + (items.unfinished[i] ? ', not ended' : ''));
  return lines;
}

// Who was in the way of a wait, as a name that resolve() may know; '' for nobody.
function blockerOf(view, wait) {
  const { waits, byId, ops, head } = view.log, id = waits.blockerId[wait];
  const words = ['', 'channel ', 'submission:', '', '', '', 'engine ', 'the ring of channel ', 'the semaphore at 0x', 'CPU thread ', 'bind ',
    '', 'queue ', 'interrupt ']; // emu/log/event_list.h, enum event_subject
  const operation = { 3: 0, 4: 2, 5: 1 }[waits.blocker[wait]];
  if (operation !== undefined) return byId.has(operation + ':' + id) ? ops.names[byId.get(operation + ':' + id)] : ['grid ', 'copy ', 'draw '][operation] + id;
  if (waits.blocker[wait] === 11) {
    for (let i = 0; i < ops.count; i++) if (ops.kind[i] === 3 && ops.id[i] === id) return ops.names[i];
    return '';
  }
  const word = words[waits.blocker[wait]] || '';
  return word ? (head.amd ? word.replace('channel', 'queue') : word) + (waits.blocker[wait] === 8 ? id.toString(16) : id) : '';
}

function showItem(view, panel, i) {
  const [first, ...rest] = itemWords(view, i);
  panel.append(make('h2', '', first));
  for (const line of rest) panel.append(make('p', '', ...linked(view, line)));
}

// The page's address ends in a name of nothing.
function unknownWords(view) {
  const button = make('button', 'link', 'Operations'), { head, ops } = view.log;
  button.type = 'button';
  button.addEventListener('click', () => tab('list'));
  const words = make('p', 'bad', 'There is no \u201c' + view.unknown + '\u201d in this page (' + head.window + '), which its address asks for. ',
    button, ' lists what there is', ops.count > 0 ? ', such as ' : '', ops.count > 0 ? linkOr(view, ops.names[0]) : '', '.');
  words.setAttribute('role', 'alert');
  return words;
}

function showStory(view) {
  const panel = document.getElementById('story');
  panel.replaceChildren();
  if (view.unknown) panel.append(unknownWords(view));
  if (view.selected !== NONE) showOperation(view, panel, view.selected, view.block);
  else if (view.item !== NONE) showItem(view, panel, view.item);
  else if (view.chosen) showTrack(view, panel, view.chosen);
  else panel.append(make('p', '', 'Click something on the time line: its story is told here, with each wait and what was in the way. '
    + 'Or take an operation from the list.'), view.log.head.untold ? make('p', '', 'gfe explain cannot read this log, so there are no stories: ' + view.log.head.untold) : '', make('p', 'faint', view.log.head.counts + '; ' + view.log.head.window + '. Made by gfe ' + view.log.head.version + '.'));
  panel.scrollTop = 0;
  markPiece(view);
}

// The piece that the cursor is in.
function markPiece(view) {
  for (const item of document.querySelectorAll('#story li'))
    item.classList.toggle('now', Number(item.dataset.begin) <= view.cursor && view.cursor < Number(item.dataset.end));
}

// ---- search ----------------------------------------------------------------------------------

const LISTED = 300;

function waitTotal(log, operation) {
  const story = log.stories.get(operation);
  return story ? story.p.reduce((sum, piece) => sum + (piece[1] === 1 ? piece[0] : piece[1] === 3 ? piece[3] : 0), 0) : 0;
}

// Operations whose name has the words, or whose story has the rule; tracks by name.
function search(view, words) {
  const { log } = view, text = words.trim().toLowerCase(), found = [];
  if (!text) {
    const told = [...log.stories.keys()].sort((a, b) => waitTotal(log, b) - waitTotal(log, a) || a - b);
    return (told.length ? told : [...log.ops.names.keys()]).map((operation) => ({ operation, block: NONE }));
  }
  const exact = resolve(log, words.trim());
  if (exact) found.push(exact);
  for (const track of log.tracks) if (track.name.toLowerCase().includes(text) && !(exact && exact.track === track)) found.push({ track });
  for (let i = 0; i < log.ops.count; i++) {
    if (exact && exact.operation === i) continue;
    const story = log.stories.get(i);
    if (log.ops.names[i].toLowerCase().includes(text) || story && story.n && story.n.toLowerCase().includes(text) || story && (story.w.toLowerCase().includes(text)
      || story.p.some((piece) => piece[1] === 1 && piece[2] && piece[2].toLowerCase() === text))) found.push({ operation: i, block: NONE });
  }
  return found;
}

function showList(view) {
  const panel = document.getElementById('list'), table = make('table', ''), { log } = view;
  const found = view.found;
  panel.replaceChildren(make('p', 'faint', view.words.trim() ? found.length + ' found' : found.length + ' operations, by how long they waited'));
  found.slice(0, LISTED).forEach((place, index) => {
    const name = place.track ? place.track.name : log.ops.names[place.operation];
    const wait = place.track ? 0 : waitTotal(log, place.operation), story = log.stories.get(place.operation);
    const row = make('tr', index === view.at ? 'on' : '', make('td', '', link(view, name, place)), make('td', 'faint', story ? story.w : ''),
      make('td', 'time', wait ? 'waited ' + timeText(wait) : ''));
    table.append(row);
  });
  panel.append(table);
  if (found.length > LISTED) panel.append(make('p', 'faint', 'and ' + (found.length - LISTED) + ' more; search for a name, a rule or a track'));
}
