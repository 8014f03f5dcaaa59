// SPDX-License-Identifier: MIT
// Time and place.  Places are in picoseconds, too: where long idle times are left out ("cuts") each is
// as long as a share of the rest, else places are times.

const PS = { s: 1e12, ms: 1e9, us: 1e6, ns: 1e3, ps: 1 };

// Of the size, as it is rounded to three decimals.
function unitOf(time) {
  const size = Math.abs(time) * 1.0000005;
  return size >= PS.s ? 's' : size >= PS.ms ? 'ms' : size >= PS.us ? 'us' : size >= PS.ns ? 'ns' : 'ps';
}

function decimals(value, digits) {
  return digits > 0 ? value.toFixed(Math.min(digits, 12)) : String(Math.round(value));
}

// "12.4 us": at most three decimals.
function timeText(time) {
  if (time === 0) return '0';
  const unit = unitOf(time);
  return Number((time / PS[unit]).toFixed(unit === 'ps' ? 0 : 3)) + ' ' + unit;
}

// "1.31 s to 1.32 s": both ends to three digits of the range's length, at least as precise as above.
function rangeText(from, to) {
  const step = Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, to - from))) - 2));
  const end = (time) => {
    const unit = unitOf(time), digits = Math.ceil(Math.log10(PS[unit] / step) - 1e-9);
    return time === 0 || to <= from ? timeText(time) : Number((time / PS[unit]).toFixed(unit === 'ps' ? 0 : Math.min(12, Math.max(3, digits)))) + ' ' + unit;
  };
  return end(from) + ' to ' + end(to);
}

// As precisely as a step needs it.
function timeExact(time, step) {
  const unit = unitOf(Math.max(time, step));
  const digits = Math.max(0, Math.ceil(Math.log10(PS[unit] / Math.max(1, step)) - 1e-9));
  return decimals(time / PS[unit], digits) + ' ' + unit;
}

class Scale {
  constructor(spans, from, to) {
    this.all = spans.map(([begin, end, isCut]) => ({ from: begin, to: end, isCut: !!isCut }));
    this.hasCuts = this.all.some((span) => span.isCut);
    this.from = from;
    this.to = Math.max(to, from + 1);
    this.cut(this.hasCuts);
  }

  cut(on) {
    this.isCut = on && this.hasCuts;
    this.spans = this.isCut ? this.all : [{ from: this.from, to: this.to, isCut: false }];
    const cuts = this.spans.filter((span) => span.isCut).length;
    let kept = 0;
    for (const span of this.spans) kept += span.isCut ? 0 : span.to - span.from;
    const length = Math.max(1, Math.min(kept / 24, kept / 2 / Math.max(1, cuts)));
    let at = this.isCut ? 0 : this.from;
    for (const span of this.spans) {
      span.u0 = at;
      at += span.isCut ? length : span.to - span.from;
      span.u1 = at;
    }
    this.u0 = this.spans[0].u0;
    this.u1 = at;
  }

  // The span that holds a value, between two of its members' names.
  find(value, low, high) {
    let a = 0, b = this.spans.length - 1;
    while (a < b) {
      const middle = a + b + 1 >> 1;
      if (this.spans[middle][low] <= value) a = middle;
      else b = middle - 1;
    }
    return this.spans[a][high] < value && a + 1 < this.spans.length ? this.spans[a + 1] : this.spans[a];
  }

  toU(time) {
    if (!this.isCut) return Math.min(Math.max(time, this.from), this.to);
    const span = this.find(time, 'from', 'to'), length = span.to - span.from;
    const share = length > 0 ? Math.min(1, Math.max(0, (time - span.from) / length)) : 0;
    return span.u0 + share * (span.u1 - span.u0);
  }

  toTime(u) {
    if (!this.isCut) return Math.min(Math.max(u, this.from), this.to);
    const span = this.find(u, 'u0', 'u1'), length = span.u1 - span.u0;
    const share = length > 0 ? Math.min(1, Math.max(0, (u - span.u0) / length)) : 0;
    return span.from + share * (span.to - span.from);
  }

  // Ticks between two places, each at least `least` apart; the first of a span says what time it is, so
  // do the others where that is short, else how much later they are.
  ticks(u0, u1, least) {
    const ticks = [], power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) || power * 10);
    for (const span of this.spans) {
      if (span.isCut || span.u1 < u0 || span.u0 > u1) continue;
      const begin = span.from + Math.max(0, u0 - span.u0), end = span.from + Math.min(span.u1, u1) - span.u0;
      let first = null;
      for (let time = Math.ceil(begin / step) * step; time <= end && ticks.length < 500; time += step) {
        let text = timeExact(time, step);
        if (first !== null && text.length > 9) text = '+' + timeText(time - first);
        if (first === null) first = time;
        ticks.push({ u: span.u0 + time - span.from, text, time });
      }
    }
    return ticks;
  }
}

// Items in places; `reach` is the latest end of each GROUP of a track's items.
const GROUP = 64;

function placeItems(log, scale) {
  const { items } = log;
  if (!scale.isCut) {
    items.u0 = items.begin;
    items.u1 = items.end;
  } else {
    items.u0 = items.begin.map((time) => scale.toU(time));
    items.u1 = items.end.map((time) => scale.toU(time));
  }
  for (const track of log.tracks) {
    track.reach = new Float64Array(Math.ceil(track.items / GROUP)).fill(-Infinity);
    for (let i = 0; i < track.items; i++) {
      const group = Math.floor(i / GROUP), end = items.u1[track.first + i];
      if (end > track.reach[group]) track.reach[group] = end;
    }
  }
}

// Calls visit(i) for the track's items that touch [u0, u1], in their order, until it returns false.
function visitItems(log, track, u0, u1, visit) {
  const begins = log.items.u0, ends = log.items.u1, { first } = track;
  let a = 0, b = track.items;
  while (a < b) {
    const middle = a + b >> 1;
    if (begins[first + middle] <= u1) a = middle + 1;
    else b = middle;
  }
  for (let group = 0; group * GROUP < a; group++) {
    if (track.reach[group] < u0) continue;
    const end = Math.min(a, group * GROUP + GROUP);
    for (let i = group * GROUP; i < end; i++) if (ends[first + i] >= u0 && visit(first + i) === false) return;
  }
}
