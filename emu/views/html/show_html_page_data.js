// SPDX-License-Identifier: MIT
// The page's data: base64, inflated, columns of variable-length integers (emu/views/html/show_html_private.h).
'use strict';

// ---- base64, inflate -------------------------------------------------------------------------

function base64Bytes(text) {
  const digits = new Uint8Array(128);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let i = 0; i < 64; i++) digits[alphabet.charCodeAt(i)] = i;
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 61) length--;
  const bytes = new Uint8Array(Math.floor(length * 3 / 4));
  let at = 0, bits = 0, count = 0;
  for (let i = 0; i < length; i++) {
    bits = (bits << 6 | digits[text.charCodeAt(i) & 127]) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[at++] = bits >> count & 255;
    }
  }
  return bytes;
}

// A table for canonical Huffman codes: how many there are of each length, and symbols in order.
function huffman(lengths) {
  const counts = new Uint16Array(16), starts = new Uint16Array(16);
  const symbols = new Uint16Array(lengths.length);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  for (let i = 1; i < 15; i++) starts[i + 1] = starts[i] + counts[i];
  lengths.forEach((length, symbol) => { if (length) symbols[starts[length]++] = symbol; });
  return { counts, symbols };
}

// Deflated data (RFC 1951) behind a zlib head, for browsers that have no DecompressionStream.
function inflateHere(bytes) {
  let out = new Uint8Array(Math.max(1024, bytes.length * 4)), used = 0;
  let at = 2, hold = 0, held = 0;
  const bits = (count) => {
    while (held < count) {
      if (at >= bytes.length) throw new Error('the data end too early');
      hold |= bytes[at++] << held;
      held += 8;
    }
    const value = hold & (1 << count) - 1;
    hold >>>= count;
    held -= count;
    return value;
  };
  const symbol = (table) => {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length++) {
      code |= bits(1);
      const count = table.counts[length];
      if (code - first < count) return table.symbols[index + code - first];
      index += count;
      first = first + count << 1;
      code <<= 1;
    }
    throw new Error('the data are damaged');
  };
  const room = (count) => {
    if (used + count <= out.length) return;
    const grown = new Uint8Array(Math.max(out.length * 2, used + count));
    grown.set(out);
    out = grown;
  };
  const dynamic = () => {
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const literals = bits(5) + 257, distances = bits(5) + 1, codes = bits(4) + 4;
    const lengths = new Array(19).fill(0), all = [];
    for (let i = 0; i < codes; i++) lengths[order[i]] = bits(3);
    const table = huffman(lengths);
    while (all.length < literals + distances) {
      const code = symbol(table);
      if (code < 16) all.push(code);
      else {
        const last = code === 16 ? all[all.length - 1] : 0;
        let count = code === 16 ? 3 + bits(2) : code === 17 ? 3 + bits(3) : 11 + bits(7);
        while (count-- > 0) all.push(last);
      }
    }
    return [huffman(all.slice(0, literals)), huffman(all.slice(literals))];
  };
  const fixed = () => {
    const lengths = [];
    for (let i = 0; i < 288; i++) lengths.push(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    return [huffman(lengths), huffman(new Array(30).fill(5))];
  };
  const copy = (code, distances) => {
    const extra = code < 265 || code === 285 ? 0 : code - 261 >> 2;
    const length = code === 285 ? 258 : extra === 0 ? code - 254
      : (4 + (code - 261 & 3) << extra) + 3 + bits(extra);
    const from = symbol(distances), more = from < 4 ? 0 : (from >> 1) - 1;
    const distance = from < 4 ? from + 1 : (2 + (from & 1) << more) + 1 + bits(more);
    if (distance > used) throw new Error('the data are damaged');
    room(length);
    for (let i = 0; i < length; i++, used++) out[used] = out[used - distance];
  };
  for (let last = 0; !last;) {
    last = bits(1);
    const type = bits(2);
    if (type === 0) {
      hold = held = 0;
      const length = bytes[at] | bytes[at + 1] << 8;
      at += 4;
      room(length);
      out.set(bytes.subarray(at, at + length), used);
      at += length;
      used += length;
      continue;
    }
    if (type === 3) throw new Error('the data are damaged');
    const [literals, distances] = type === 1 ? fixed() : dynamic();
    for (let code = symbol(literals); code !== 256; code = symbol(literals)) {
      if (code > 256) copy(code, distances);
      else {
        room(1);
        out[used++] = code;
      }
    }
  }
  return out.subarray(0, used);
}

async function inflate(bytes) {
  if (!('DecompressionStream' in window) || /[?&]inflate=own/.test(location.search))
    return inflateHere(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The part's bytes; its text is dropped, it would lie in memory twice.
async function part(name) {
  const element = document.getElementById('data-' + name);
  const bytes = base64Bytes(element.textContent);
  element.remove();
  return inflate(bytes);
}

// ---- columns ---------------------------------------------------------------------------------

// Names of the columns, in the order of enum html_column.
const COLUMNS = ['kind', 'begin', 'length', 'operation', 'number', 'place', 'channel',
  'waitRule', 'waitSubject', 'waitSubjectId', 'waitBlocker', 'waitBlockerId',
  'opKind', 'opId', 'opQueued', 'opStart', 'opEnd', 'opChannel', 'opColour', 'opBlocks',
  'opThreads', 'opStory'];

function columnsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset), columns = {};
  let at = 0;
  for (const name of COLUMNS) {
    const length = view.getUint32(at, true);
    columns[name] = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return columns;
}

// Reads a column from its beginning.
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  varint() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127, scale = 128;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
  difference() {
    const value = this.varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

const NONE = -1; // no operation

// Items of all tracks, one track after the other.
function itemsOf(columns, tracks) {
  const count = columns.kind.length;
  const items = { count, kind: new Uint8Array(count), unfinished: new Uint8Array(count),
    begin: new Float64Array(count), end: new Float64Array(count), operation: new Int32Array(count),
    number: new Uint32Array(count), place: new Float64Array(count), channel: new Uint32Array(count) };
  const read = {};
  for (const name of COLUMNS.slice(1, 7)) read[name] = new Reader(columns[name]);
  let first = 0;
  for (const track of tracks) {
    let begin = 0, operation = 0, number = 0, channel = 0;
    track.first = first;
    track.kinds = 0;
    for (let i = first; i < first + track.items; i++) {
      items.kind[i] = columns.kind[i] & 127;
      items.unfinished[i] = columns.kind[i] >> 7;
      track.kinds |= 1 << items.kind[i];
      items.begin[i] = begin += read.begin.varint();
      items.end[i] = begin + read.length.varint();
      operation += read.operation.difference();
      items.operation[i] = operation - 1;
      items.number[i] = number += read.number.difference();
      items.place[i] = read.place.varint();
      items.channel[i] = channel += read.channel.difference();
    }
    first += track.items;
  }
  return items;
}

function waitsOf(columns) {
  const count = columns.waitSubject.length;
  const waits = { rule: new Uint32Array(count), subject: columns.waitSubject, blocker: columns.waitBlocker,
    subjectId: new Float64Array(count), blockerId: new Float64Array(count) };
  const rule = new Reader(columns.waitRule), subject = new Reader(columns.waitSubjectId);
  const blocker = new Reader(columns.waitBlockerId);
  let subjectId = 0, blockerId = 0;
  for (let i = 0; i < count; i++) {
    waits.rule[i] = rule.varint();
    waits.subjectId[i] = subjectId += subject.difference();
    waits.blockerId[i] = blockerId += blocker.difference();
  }
  return waits;
}

// Times that never came are Infinity.
function operationsOf(columns, names) {
  const count = columns.opKind.length;
  const ops = { count, names, kind: columns.opKind, told: columns.opStory, id: new Float64Array(count),
    queued: new Float64Array(count), start: new Float64Array(count), end: new Float64Array(count),
    channel: new Uint32Array(count), colour: new Uint32Array(count), blocks: new Uint32Array(count),
    threads: new Uint32Array(count) };
  const read = {};
  for (const name of COLUMNS.slice(13, 21)) read[name] = new Reader(columns[name]);
  let id = 0, queued = 0, channel = 0;
  for (let i = 0; i < count; i++) {
    ops.id[i] = id += read.opId.difference();
    ops.queued[i] = queued += read.opQueued.difference();
    const start = read.opStart.varint(), end = read.opEnd.varint();
    ops.start[i] = start ? queued + start - 1 : Infinity;
    ops.end[i] = end ? queued + end - 1 : Infinity;
    ops.channel[i] = channel += read.opChannel.difference();
    ops.colour[i] = read.opColour.varint();
    ops.blocks[i] = read.opBlocks.varint();
    ops.threads[i] = read.opThreads.varint();
  }
  return ops;
}

async function readLog() {
  const text = new TextDecoder();
  const head = JSON.parse(text.decode(await part('head')));
  const columns = columnsOf(await part('items'));
  const log = { head, tracks: head.tracks, items: itemsOf(columns, head.tracks),
    waits: waitsOf(columns), ops: operationsOf(columns, head.names), stories: new Map() };
  for (const story of JSON.parse(text.decode(await part('stories')))) log.stories.set(story.i, story);
  namesIndex(log);
  return log;
}

// Operations by what they are called here, by gfe explain, and by kind and number.
function namesIndex(log) {
  const words = ['launch', 'copy', 'draw'], { ops } = log;
  log.byName = new Map();
  log.byId = new Map();
  for (let i = ops.count - 1; i >= 0; i--) {
    const kind = ops.kind[i];
    if (kind < 3) {
      log.byId.set(kind + ':' + ops.id[i], i);
      log.byName.set(words[kind] + ':' + ops.id[i], i);
    }
    log.byName.set(ops.names[i], i);
  }
  for (const [i, story] of log.stories) if (story.n && !log.byName.has(story.n)) log.byName.set(story.n, i);
}
