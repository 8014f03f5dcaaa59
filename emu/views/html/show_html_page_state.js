// SPDX-License-Identifier: MIT
// What stands where at the time of the cursor: as gfe inspect LOG queues says it, as far as the
// intervals of the time line tell.

// The track's items that last at that time; of those that end there, none.
function activeAt(log, track, u, time) {
  const active = [];
  visitItems(log, track, u, u, (i) => {
    if (log.items.begin[i] <= time && time < log.items.end[i] && log.items.kind[i] < K.DOORBELL) active.push(i);
  });
  return active;
}

// For each operation when its blocks started, in order; made at the first call.
function blockBegins(log) {
  if (log.begins) return log.begins;
  const { items, ops } = log, counts = new Uint32Array(ops.count + 1);
  for (let i = 0; i < items.count; i++) if (items.kind[i] === K.BLOCK && items.operation[i] !== NONE) counts[items.operation[i] + 1]++;
  for (let i = 0; i < ops.count; i++) counts[i + 1] += counts[i];
  const times = new Float64Array(counts[ops.count]), at = counts.slice();
  for (let i = 0; i < items.count; i++) {
    if (items.kind[i] !== K.BLOCK || items.operation[i] === NONE) continue;
    times[at[items.operation[i]]++] = items.begin[i];
  }
  for (let i = 0; i < ops.count; i++) times.subarray(counts[i], counts[i + 1]).sort();
  log.begins = { counts, times };
  return log.begins;
}

// How many of an operation's blocks have started by then.
function blocksStarted(log, operation, time) {
  const { counts, times } = blockBegins(log);
  let a = counts[operation], b = counts[operation + 1];
  while (a < b) {
    const middle = a + b >> 1;
    if (times[middle] <= time) a = middle + 1;
    else b = middle;
  }
  return a - counts[operation];
}

function table(rows) {
  return make('table', '', ...rows.map((cells) => make('tr', '', ...cells.map((cell, i) => {
    const list = Array.isArray(cell) ? cell : [cell];
    return make('td', i > 0 && i === cells.length - 1 ? 'time' : '', ...list);
  }))));
}

function section(panel, title, rows) {
  if (rows.length === 0) return;
  const body = table(rows);
  if (rows.length > 14) {
    const details = make('details', '', make('summary', '', title + ' (' + rows.length + ')'), body);
    details.open = panel.dataset['open' + title] === '1';
    details.addEventListener('toggle', () => { panel.dataset['open' + title] = details.open ? '1' : '0'; });
    panel.append(details);
  } else {
    panel.append(make('h3', '', title), body);
  }
}

// What an item says of its track.
function activeWords(view, track, i) {
  const { log } = view, { items } = log, kind = items.kind[i], operation = items.operation[i];
  const name = itemLabel(log, i);
  if (kind === K.WAIT) {
    const by = blockerOf(view, items.number[i]);
    return ['waits: ', make('span', 'rule', name), ...(by ? [' because of ', linkOr(view, by)] : [])];
  }
  const words = operation !== NONE ? link(view, name, { operation, block: NONE }) : name;
  const inStream = track.kind === T.STREAM && { [K.QUEUED]: 'waits in its stream', [K.OPERATION]: 'was handed over' }[kind];
  const does = inStream || ({ [K.LOADED]: '', [K.SLICE]: '' }[kind] ?? KINDS[kind][0]);
  return does ? [words, words ? ' ' : '', does] : [words];
}

function trackRows(view, tracks, time, u, kinds) {
  const rows = [];
  for (const track of tracks) {
    const active = activeAt(view.log, track, u, time).filter((i) => !kinds || kinds(view.log.items.kind[i]));
    active.slice(0, 12).forEach((i, index) => rows.push([index ? '' : link(view, track.name, { track }), activeWords(view, track, i),
      'for ' + timeText(time - view.log.items.begin[i])]));
    if (active.length > 12) rows.push(['', 'and ' + (active.length - 12) + ' more', '']);
  }
  return rows;
}

// Kernels that have been queued and have not ended: how far they are.
function kernelRows(view, time, onSms) {
  const { ops } = view.log, rows = [];
  for (let i = 0; i < ops.count && rows.length < 200; i++) {
    if (ops.kind[i] !== 0 || ops.queued[i] > time || ops.end[i] <= time) continue;
    const started = blocksStarted(view.log, i, time), on = onSms.get(i) || 0;
    rows.push([link(view, ops.names[i], { operation: i, block: NONE }), started + ' of ' + ops.blocks[i] + ' blocks started, ' + on + ' on ' + view.log.head.sms,
      ops.start[i] > time ? 'queued' : started < ops.blocks[i] ? 'dispatched' : 'fully dispatched']);
  }
  return rows;
}

// Blocks on SMs by kernel; `onSms` gets how many there are of each.
function smRows(view, time, u, onSms) {
  const { log } = view, rows = [];
  for (const track of log.tracks) {
    if (track.kind !== T.SM) continue;
    const counts = new Map();
    let threads = 0;
    for (const i of activeAt(log, track, u, time)) {
      const operation = log.items.operation[i];
      counts.set(operation, (counts.get(operation) || 0) + 1);
      onSms.set(operation, (onSms.get(operation) || 0) + 1);
      threads += operation === NONE ? 0 : log.ops.threads[operation];
    }
    if (counts.size === 0) continue;
    const words = [];
    for (const [operation, count] of counts)
      words.push(words.length ? ', ' : '', link(view, log.ops.names[operation], { operation, block: NONE }), ' \u00d7 ' + count);
    rows.push([link(view, track.name, { track }), words, threads + (log.head.threads ? ' of ' + log.head.threads : '') + ' threads']);
  }
  return rows;
}

function showState(view) {
  const panel = document.getElementById('state'), { log } = view, time = view.cursor, u = view.scale.toU(time), onSms = new Map();
  const of = (...kinds) => log.tracks.filter((track) => kinds.includes(track.kind));
  const sms = smRows(view, time, u, onSms);
  panel.replaceChildren(make('h2', '', 'At ' + timeExact(time, Math.max(1, 1 / view.perU))));
  section(panel, 'Streams', trackRows(view, of(T.STREAM), time, u));
  section(panel, log.head.amd ? 'Queues' : 'Channels', trackRows(view, of(T.CHANNEL), time, u));
  section(panel, 'Kernels', kernelRows(view, time, onSms));
  section(panel, 'Runlists', trackRows(view, of(T.RUNLIST), time, u));
  section(panel, 'Slots (HQDs)', trackRows(view, of(T.SLOT), time, u));
  section(panel, 'PBDMAs', trackRows(view, of(T.PBDMA), time, u));
  section(panel, 'Engines', trackRows(view, of(T.GR, T.CE), time, u));
  section(panel, 'Program', trackRows(view, of(T.THREAD), time, u));
  section(panel, log.head.sms, sms);
  if (!panel.querySelector('table')) panel.append(make('p', 'faint', 'Nothing is going on.'));
}
