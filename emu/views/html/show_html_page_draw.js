// SPDX-License-Identifier: MIT
// Rows, and what is drawn in them.  Blocks of crowded SMs are painted pixel by pixel into an image,
// all else by the canvas; what is narrower than a pixel is drawn a pixel wide, once.

// Kinds of items and tracks, as in emu/show.h.
const K = { CPU_WAIT: 0, SUBMIT: 1, IN_RING: 2, QUEUED: 3, OPERATION: 4, PACKET: 5, DISPATCHING: 6, WAIT: 7,
  LOADED: 8, LOADING: 9, LEAVING: 10, SAVING: 11, RESTORING: 12, SEGMENT: 13, BLOCK: 14, SLICE: 15,
  DOORBELL: 16, WRITE: 17, ACQUIRE: 18, RELEASE: 19, INTERRUPT: 20, ERROR: 21 };
const T = { THREAD: 0, CHANNEL: 1, SLOT: 2, PBDMA: 3, GR: 4, CE: 5, SM: 6, RUNLIST: 7, STREAM: 8 };

// What each kind is called, which colour it has, and in which turn it is drawn.
const KINDS = [['program waits', 'cpuwait', 0], ['driver call', 'submit', 1], ['packets in its ring', 'ring', 0],
  ['handed over, not started', 'queued', 0], ['runs', '', 1], ['packet', 'packet', 1],
  ['not all blocks have started', 'dispatching', 2], ['waits for a rule', 'wait', 1],
  ['in its registers', 'loaded', 0], ['being loaded', 'loading', 1], ['has to leave', 'leaving', 1],
  ['waves are saved', 'saving', 2], ['waves are restored', 'restoring', 2], ['methods of a GP entry', 'segment', 1],
  ['block', '', 1], ['time-slice group is on', 'slice', 1], ['doorbell', 'mark', 3], ['inline write', 'write', 3],
  ['semaphore acquire', 'mark', 3], ['semaphore release', 'release', 3], ['interrupt', 'interrupt', 3],
  ['error', 'error', 3]];
const PALETTE = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7'];
const LANE = 16, WAIT_LANE = 7, MARKS = 11, GAP = 3, GROUP_ROW = 22, AXIS = 26;
const CROWD = 400; // items of a row from which on pixels are painted

// ---- rows ------------------------------------------------------------------------------------

function groupsOf(log) {
  const { head } = log, own = head.amd ? 'Queues' : 'Channels';
  const groups = [['Program', T.THREAD], ['Streams', T.STREAM], [own, T.CHANNEL], ['Runlists', T.RUNLIST],
    ['Slots (HQDs)', T.SLOT], ['PBDMAs', T.PBDMA], ['Engines', T.GR], [head.amd ? 'SDMA' : 'Copy engines', T.CE]]
    .map(([name, kind]) => ({ name, tracks: log.tracks.filter((track) => track.kind === kind) }));
  for (const track of log.tracks.filter((one) => one.kind === T.SM)) {
    const name = track.se === undefined ? head.sms : 'SE ' + track.se;
    let group = groups.find((one) => one.name === name);
    if (!group) groups.push(group = { name, tracks: [] });
    group.tracks.push(track);
  }
  return groups.filter((group) => group.tracks.length > 0);
}

// Gives each group and track its place from the top; returns the height of all.
function layRows(log, groups, size) {
  const sms = log.tracks.filter((track) => track.kind === T.SM).length;
  let y = 0;
  for (const group of groups) {
    group.y = y;
    y += GROUP_ROW;
    for (const track of group.tracks) {
      track.y = y;
      track.shown = !group.closed;
      track.marks = track.kinds >> K.DOORBELL ? MARKS : 0;
      track.lane = LANE * size;
      track.main = track.kind === T.SM ? (sms > 24 ? 14 : sms > 10 ? 22 : sms > 3 ? 30 : 60) * size : Math.max(1, track.lanes) * track.lane;
      track.h = track.marks + track.main + track.waits * WAIT_LANE;
      if (track.shown) y += track.h + GAP;
    }
    group.h = y - group.y;
  }
  return y;
}

// Threads and bottom of each piece of a block on its SM, from the lowest, in one list.
function piecesOf(log, i) {
  return log.head.pieces[i] || [log.ops.threads[log.items.operation[i]] || 1, log.items.place[i]];
}

// The box of a piece of a block in its track: [top, height].
function pieceBox(log, track, height, bottom) {
  const scale = track.main / ceilingOf(log, track);
  return [track.y + track.marks + track.main - (bottom + height) * scale, height * scale];
}

// The box of an item in its track: [top, height].  Of a block in pieces it is the lowest piece's.
function itemBox(log, track, i) {
  const { items } = log, kind = items.kind[i], top = track.y + track.marks;
  if (kind >= K.DOORBELL) return [track.y, MARKS];
  if (kind === K.WAIT) return [top + track.main + items.place[i] * WAIT_LANE, WAIT_LANE - 1];
  if (kind === K.BLOCK) return pieceBox(log, track, ...piecesOf(log, i));
  if (kind === K.SEGMENT) return [top + 3, track.main - 6];
  if (kind === K.DISPATCHING) return [top + items.place[i] * track.lane + track.lane - 5, 4];
  if (kind === K.OPERATION || kind === K.QUEUED || kind === K.PACKET)
    return [top + items.place[i] * track.lane, track.lane - 1];
  return [top, track.main];
}

// The box of an item; of a block in pieces the one at that height, if there is one.
function boxNear(log, track, i, y) {
  const pieces = log.items.kind[i] === K.BLOCK && log.head.pieces[i] || [];
  for (let p = 0; p < pieces.length; p += 2) {
    const box = pieceBox(log, track, pieces[p], pieces[p + 1]);
    if (y >= box[0] && y < box[0] + box[1]) return box;
  }
  return itemBox(log, track, i);
}

// Threads of an SM: those that it has, or the most that lay on it.
function ceilingOf(log, track) {
  return Math.max(log.head.threads, track.top, 1);
}

// ---- colours ---------------------------------------------------------------------------------

function rgbOf(colour) {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16 & 255, number >> 8 & 255, number & 255];
}

function mix(colour, other, share) {
  const a = rgbOf(colour), b = rgbOf(other);
  return '#' + a.map((one, i) => Math.round(one * share + b[i] * (1 - share)).toString(16).padStart(2, '0'))
    .join('');
}

function textOn(colour) {
  const [red, green, blue] = rgbOf(colour);
  return red * 0.3 + green * 0.59 + blue * 0.11 > 120 ? '#000' : '#fff';
}

// The style sheet's variables, and a pattern for waits.
function coloursOf(canvas) {
  const style = getComputedStyle(document.documentElement), colours = {};
  for (const name of ['page', 'text', 'faint', 'line', 'lane', 'group', 'cursor', 'select', 'copy', 'draw', 'hatch',
    ...KINDS.map((kind) => kind[1]).filter((name) => name)])
    colours[name] = style.getPropertyValue('--' + name).trim();
  for (const name of Object.keys(colours))
    if (/^#...$/.test(colours[name])) colours[name] = colours[name].replace(/[^#]/g, '$&$&');
  const tile = document.createElement('canvas'), at = tile.getContext('2d');
  tile.width = tile.height = 6;
  at.fillStyle = colours.wait;
  at.fillRect(0, 0, 6, 6);
  at.strokeStyle = colours.hatch;
  at.beginPath();
  for (const x of [-6, 0, 6]) {
    at.moveTo(x, 6);
    at.lineTo(x + 6, 0);
  }
  at.stroke();
  colours.waits = canvas.getContext('2d').createPattern(tile, 'repeat');
  return colours;
}

// A colour for each operation; all but the selected one are pale when one is selected.
function paintOperations(view) {
  const { log, colours } = view, { ops } = log;
  const numbers = [0, 0, 0];
  view.paint = new Uint32Array(ops.count);
  view.painted = (view.painted || 0) + 1;
  view.fills = [];
  const fillOf = new Map();
  for (let i = 0; i < ops.count; i++) {
    const kind = ops.kind[i];
    let colour = PALETTE[ops.colour[i] % PALETTE.length];
    if (!view.byStream && kind === 0) colour = PALETTE[numbers[0]++ % PALETTE.length];
    if (!view.byStream && kind > 0) colour = kind === 1 ? colours.copy : kind === 2 ? colours.draw : colours.loading;
    if (view.selected !== NONE && view.selected !== i && view.dims) colour = mix(colour, colours.lane, 0.3);
    if (!fillOf.has(colour)) {
      fillOf.set(colour, view.fills.length);
      view.fills.push(colour);
    }
    view.paint[i] = fillOf.get(colour);
  }
  view.pixels = new Uint32Array(view.fills.map((fill) => {
    const [red, green, blue] = rgbOf(fill);
    return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
  }));
}

function itemColour(view, i) {
  const operation = view.log.items.operation[i], kind = view.log.items.kind[i];
  if (kind === K.WAIT) return view.colours.waits;
  if (KINDS[kind][1]) return view.colours[KINDS[kind][1]];
  return operation === NONE ? view.colours.loading : view.fills[view.paint[operation]];
}

// ---- what an item is called ------------------------------------------------------------------

function itemLabel(log, i) {
  const { items, ops, head } = log, kind = items.kind[i], number = items.number[i];
  if (kind === K.WAIT) return (head.rules[log.waits.rule[number]] || ['-'])[0];
  if (items.operation[i] !== NONE) return ops.names[items.operation[i]];
  if (kind === K.LOADED || kind === K.LOADING || kind >= K.LEAVING && kind <= K.RESTORING)
    return (head.amd ? 'queue ' : 'channel ') + (items.channel[i] || number);
  if (kind === K.SEGMENT) return 'channel ' + items.channel[i] + ', entry ' + number;
  if (kind === K.SLICE) return number >= 0x40000000 ? 'channel ' + (number - 0x40000000) : 'TSG ' + number;
  if (kind === K.SUBMIT) return 'submission ' + number;
  return '';
}

// ---- drawing ---------------------------------------------------------------------------------

// The widest part of a stretch that no cut lies over.
function uncut(view, x0, x1) {
  const { scale } = view;
  let best = [x0, x0];
  if (!scale.isCut) return [x0, x1];
  for (let i = scale.spans.indexOf(scale.find(view.uOf(x0), 'u0', 'u1')); i < scale.spans.length; i++) {
    const span = scale.spans[i], from = Math.max(x0, view.xOf(span.u0)), to = Math.min(x1, view.xOf(span.u1));
    if (from >= x1) break;
    if (!span.isCut && to - from > best[1] - best[0]) best = [from, to];
  }
  return best;
}

function drawLabel(view, context, text, x0, x1, y, height, colour) {
  if (!text || x1 - x0 < 16 || height < 10) return;
  const [x, end] = uncut(view, x0, x1), width = end - x;
  if (width < 16) return;
  const room = Math.floor((width - 6) / 6);
  const shown = text.length <= room ? text : room >= 4 ? text.slice(0, room - 1) + '\u2026' : '';
  if (!shown) return;
  context.fillStyle = colour;
  context.fillText(shown, x + 3, y + height / 2 + 0.5);
}

function drawMark(context, kind, x, y, colour) {
  context.fillStyle = context.strokeStyle = colour;
  context.beginPath();
  if (kind === K.DOORBELL) context.moveTo(x - 4, y + 1), context.lineTo(x + 4, y + 1), context.lineTo(x, y + 9);
  else if (kind === K.RELEASE) context.moveTo(x - 4, y + 9), context.lineTo(x + 4, y + 9), context.lineTo(x, y + 1);
  else if (kind === K.WRITE) context.rect(x - 3, y + 2, 6, 6);
  else if (kind === K.ERROR) {
    context.lineWidth = 2;
    context.moveTo(x - 4, y + 1), context.lineTo(x + 4, y + 9), context.moveTo(x + 4, y + 1), context.lineTo(x - 4, y + 9);
    context.stroke();
    context.lineWidth = 1;
    return;
  } else context.arc(x, y + 5, 3.5, 0, 7);
  if (kind === K.ACQUIRE) context.stroke();
  else context.fill();
}

// A bar of an item, from x0 to x1, with its label.
function drawBox(view, context, track, i, colour, x0, x1, y, height) {
  const { log, colours } = view, { items } = log, kind = items.kind[i], width = Math.max(1, x1 - x0);
  context.fillStyle = colour;
  context.fillRect(x0, y - view.top, width, Math.max(1, height));
  if (width > 4 && (kind === K.BLOCK || kind === K.OPERATION || kind === K.SLICE || kind === K.PACKET)) {
    context.fillStyle = colours.lane; // a gap to the next one
    context.fillRect(x1 - 1, y - view.top, 1, height);
    if (kind === K.BLOCK && height > 3) context.fillRect(x0, y - view.top, width, 1);
  }
  if (items.operation[i] === view.selected && view.selected !== NONE && width > 2 && height > 4) {
    context.strokeStyle = colours.select;
    context.strokeRect(x0 + 0.5, y - view.top + 0.5, width - 1, height - 1);
  }
  const plain = typeof colour === 'string' && colour.length === 7;
  if (track.kind === T.PBDMA && kind !== K.SEGMENT) return; // segments lie on it
  drawLabel(view, context, itemLabel(log, i), x0, x0 + width, y - view.top, height, plain ? textOn(colour) : colours.text);
}

// One turn's items of a track, by the canvas.
function drawItems(view, context, track, turn) {
  const { log, colours } = view, { items } = log, last = new Map();
  visitItems(log, track, view.u0, view.u1, (i) => {
    const kind = items.kind[i];
    if (KINDS[kind][2] !== turn) return;
    const x0 = Math.max(view.left - 2, view.xOf(items.u0[i])), x1 = Math.min(view.width + 2, view.xOf(items.u1[i]));
    const lane = kind * 64 + (kind < K.DOORBELL && kind !== K.BLOCK ? items.place[i] : 0);
    if (kind >= K.DOORBELL) {
      if (x0 < last.get(lane) + 2) return;
      last.set(lane, x0);
      drawMark(context, kind, x0, track.y - view.top, colours[KINDS[kind][1]]);
      return;
    }
    if (kind !== K.BLOCK && x1 - x0 < 1) {
      if (x0 < last.get(lane) + 0.5) return;
      last.set(lane, x0);
    }
    const colour = itemColour(view, i);
    if (kind !== K.BLOCK) return drawBox(view, context, track, i, colour, x0, x1, ...itemBox(log, track, i));
    const pieces = piecesOf(log, i);
    for (let p = 0; p < pieces.length; p += 2) drawBox(view, context, track, i, colour, x0, x1, ...pieceBox(log, track, pieces[p], pieces[p + 1]));
  });
}

// The pixels of a crowded SM's blocks, from column `from` to `to`.
function paintColumns(view, track, image, from, to) {
  const { log } = view, { items } = log, { width, height } = image, scale = height / ceilingOf(log, track);
  const pixels = new Uint32Array(image.data.buffer), perU = view.perU * view.ratio;
  const [red, green, blue] = rgbOf(view.colours.lane), lane = (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
  for (let y = 0; y < height; y++) pixels.fill(lane, y * width + from, y * width + to);
  visitItems(log, track, view.u0 + from / perU, view.u0 + to / perU, (i) => {
    const operation = items.operation[i];
    if (operation === NONE) return;
    const begin = Math.floor((items.u0[i] - view.u0) * perU), x0 = Math.max(from, begin);
    const x1 = Math.min(to, Math.max(begin + 1, Math.floor((items.u1[i] - view.u0) * perU)));
    const colour = view.pixels[view.paint[operation]], pieces = piecesOf(log, i);
    for (let p = 0; x0 < x1 && p < pieces.length; p += 2) {
      const bottom = Math.floor(height - pieces[p + 1] * scale);
      const top = Math.max(0, Math.min(bottom - 1, Math.floor(height - (pieces[p + 1] + pieces[p]) * scale)));
      for (let y = top; y < bottom; y++) pixels.fill(colour, y * width + x0, y * width + x1);
    }
  });
}

// A crowded SM.  Its image is kept: when the view has only moved sideways, what is new is painted.
function paintBlocks(view, context, track) {
  const { ratio } = view, width = Math.max(1, Math.round((view.width - view.left) * ratio)), height = Math.max(1, Math.round(track.main * ratio));
  const key = [width, height, view.perU, view.painted].join();
  const moved = track.imageKey === key ? (view.u0 - track.imageU0) * view.perU * ratio : width;
  const shift = Math.abs(moved - Math.round(moved)) < 0.02 ? Math.round(moved) : width;
  if (!track.image || track.image.width !== width || track.image.height !== height) track.image = context.createImageData(width, height);
  if (Math.abs(shift) >= width) {
    paintColumns(view, track, track.image, 0, width);
  } else if (shift !== 0) {
    const pixels = new Uint32Array(track.image.data.buffer);
    for (let y = 0; y < height; y++) {
      const at = y * width;
      if (shift > 0) pixels.copyWithin(at, at + shift, at + width);
      else pixels.copyWithin(at - shift, at, at + width + shift);
    }
    paintColumns(view, track, track.image, shift > 0 ? width - shift : 0, shift > 0 ? width : -shift);
  }
  track.imageKey = key;
  track.imageU0 = shift === 0 ? track.imageU0 : view.u0;
  context.putImageData(track.image, Math.round(view.left * ratio), Math.round((track.y + track.marks - view.top + AXIS) * ratio));
}

function isCrowded(view, track) {
  let count = 0;
  visitItems(view.log, track, view.u0, view.u1, () => ++count <= CROWD);
  return count > CROWD;
}

function drawTrack(view, context, track) {
  const y = track.y - view.top, { colours } = view;
  context.fillStyle = colours.lane;
  context.fillRect(view.left, y, view.width - view.left, track.h);
  if (track.kind === T.SM && isCrowded(view, track)) {
    paintBlocks(view, context, track);
  } else {
    context.save();
    context.beginPath();
    context.rect(view.left, y, view.width - view.left, track.h);
    context.clip();
    for (let turn = 0; turn < 4; turn++) drawItems(view, context, track, turn);
    context.restore();
  }
}

function drawName(view, context, text, y, bold) {
  const room = Math.floor((view.left - 10) / 6.2);
  context.font = (bold ? 'bold ' : '') + '12px Helvetica, Arial, "DejaVu Sans", sans-serif';
  context.fillText(text.length <= room ? text : text.slice(0, room - 1) + '\u2026', 6, y);
  context.font = '11px Helvetica, Arial, "DejaVu Sans", sans-serif';
}

function drawRows(view, context) {
  const bottom = view.height - AXIS;
  for (const group of view.groups) {
    if (group.y + group.h < view.top || group.y > view.top + bottom) continue;
    context.fillStyle = view.colours.group;
    context.fillRect(0, group.y - view.top, view.width, GROUP_ROW - 4);
    context.fillStyle = view.colours.text;
    drawName(view, context, (group.closed ? '\u25b8 ' : '\u25be ') + group.name, group.y - view.top + GROUP_ROW / 2 - 1, true);
    for (const track of group.tracks) {
      if (!track.shown || track.y + track.h < view.top || track.y > view.top + bottom) continue;
      drawTrack(view, context, track);
      context.fillStyle = view.chosen === track ? view.colours.cursor : view.colours.text;
      drawName(view, context, track.name, track.y - view.top + track.marks + Math.min(track.main, LANE) / 2 + 1, false);
    }
  }
}

function drawAxis(view, context) {
  const { colours, scale } = view;
  context.fillStyle = colours.page;
  context.fillRect(0, 0, view.width, AXIS);
  context.fillStyle = colours.faint;
  context.textAlign = 'center';
  let free = view.left;
  for (const tick of scale.ticks(view.u0, view.u1, 92 / view.perU)) {
    const x = view.xOf(tick.u), half = tick.text.length * 3 + 4;
    context.fillRect(Math.round(x), AXIS - 6, 1, 6);
    if (x - half < free || x + half > view.width) continue;
    context.fillText(tick.text, x, AXIS / 2 - 2);
    free = x + half;
  }
  context.textAlign = 'left';
}

// Where idle time is left out: a pale band that says how long it is.
function drawCuts(view, context) {
  for (const span of view.scale.spans) {
    if (!span.isCut || span.u1 < view.u0 || span.u0 > view.u1) continue;
    const x0 = Math.max(view.left, view.xOf(span.u0)), width = Math.min(view.width, view.xOf(span.u1)) - x0;
    context.globalAlpha = 0.85;
    context.fillStyle = view.colours.page;
    context.fillRect(x0, AXIS, width, view.height);
    context.globalAlpha = 1;
    context.strokeStyle = view.colours.hatch;
    context.setLineDash([3, 3]);
    context.strokeRect(x0 + 0.5, AXIS - 0.5, Math.max(1, width - 1), view.height);
    context.setLineDash([]);
    context.fillStyle = view.colours.faint;
    context.textAlign = 'center';
    const text = timeText(span.to - span.from);
    if (width > text.length * 6) context.fillText(text, x0 + width / 2, AXIS + 10);
    else if (width > 12) context.fillText('\u2026', x0 + width / 2, AXIS + 10);
    context.textAlign = 'left';
  }
}

function drawCursor(view, context) {
  const x = view.xOf(view.scale.toU(view.cursor));
  if (x < view.left || x > view.width) return;
  context.fillStyle = view.colours.cursor;
  context.fillRect(Math.round(x) - 0.5, 0, 1.5, view.height);
  context.beginPath();
  context.moveTo(x - 6, 0), context.lineTo(x + 6, 0), context.lineTo(x, 8);
  context.fill();
}

function drawLines(view) {
  const context = view.lines.getContext('2d'), ratio = view.ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  context.font = '11px Helvetica, Arial, "DejaVu Sans", sans-serif';
  context.fillStyle = view.colours.page;
  context.fillRect(0, 0, view.width, view.height);
  context.save();
  context.translate(0, AXIS);
  drawRows(view, context);
  context.restore();
  drawAxis(view, context);
  drawCuts(view, context);
  drawCursor(view, context);
}

// ---- the overview ----------------------------------------------------------------------------

// How many items run at each of so many places: of SMs, and of all else.
function loadOf(view, count) {
  const { log, scale } = view, loads = [new Float64Array(count + 1), new Float64Array(count + 1)];
  const perPlace = count / (scale.u1 - scale.u0), { items } = log;
  for (const track of log.tracks) {
    if (track.kind === T.SLOT || track.kind === T.STREAM || track.kind === T.RUNLIST) continue;
    const load = loads[track.kind === T.SM ? 0 : 1];
    for (let i = track.first; i < track.first + track.items; i++) {
      const kind = items.kind[i];
      if (kind === K.LOADED || kind === K.WAIT || kind === K.CPU_WAIT || kind === K.QUEUED || kind === K.IN_RING) continue;
      const from = Math.floor((items.u0[i] - scale.u0) * perPlace), to = Math.floor((items.u1[i] - scale.u0) * perPlace);
      load[Math.min(count, from)]++;
      load[Math.min(count, to + 1)]--;
    }
  }
  return loads.map((load) => {
    let sum = 0;
    return load.map((change) => sum += change);
  });
}

// What runs when, as a picture that is made once.
function loadPicture(view, width, height) {
  const { colours, scale, ratio } = view, key = [width, ratio, scale.isCut, colours.page].join();
  if (view.loadKey === key) return view.loadImage;
  const canvas = document.createElement('canvas'), context = canvas.getContext('2d');
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  loadOf(view, Math.max(1, Math.floor(width))).forEach((load, which) => {
    const most = load.reduce((a, b) => Math.max(a, b), 1), room = which ? 12 : 22, bottom = which ? 42 : 28;
    context.fillStyle = which ? colours.segment : PALETTE[1];
    for (let x = 0; x < load.length; x++)
      if (load[x] > 0) context.fillRect(x, bottom - Math.max(1, load[x] / most * room), 1, Math.max(1, load[x] / most * room));
  });
  view.loadKey = key;
  view.loadImage = canvas;
  return canvas;
}

function drawOverview(view) {
  const context = view.overview.getContext('2d'), { colours, scale } = view, width = view.width - view.left, height = 44;
  context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  context.fillStyle = colours.page;
  context.fillRect(0, 0, view.width, height);
  context.drawImage(loadPicture(view, width, height), view.left, 0, width, height);
  const perU = width / (scale.u1 - scale.u0), x0 = view.left + (view.u0 - scale.u0) * perU, x1 = view.left + (view.u1 - scale.u0) * perU;
  context.globalAlpha = 0.5;
  context.fillStyle = colours.group;
  context.fillRect(view.left, 0, x0 - view.left, height);
  context.fillRect(x1, 0, view.width - x1, height);
  context.globalAlpha = 1;
  context.strokeStyle = colours.text;
  context.strokeRect(x0 + 0.5, 0.5, Math.max(3, x1 - x0 - 1), height - 1);
  context.fillStyle = colours.cursor;
  context.fillRect(view.left + (scale.toU(view.cursor) - scale.u0) * perU, 0, 1.5, height);
}
