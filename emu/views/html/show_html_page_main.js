// SPDX-License-Identifier: MIT
// The view: what is shown and selected; and the beginning of it all.

class View {
  constructor(log) {
    this.log = log;
    this.lines = document.getElementById('lines');
    this.overview = document.getElementById('overview');
    this.scale = new Scale(log.head.spans, log.head.from, log.head.to);
    this.groups = groupsOf(log);
    this.size = 1;
    this.top = 0;
    this.cursor = log.head.from;
    this.selected = this.item = this.block = NONE;
    this.chosen = null;
    this.past = [];
    this.words = '';
    this.at = NONE;
    this.byStream = !!(log.head.story || log.head.amd);
    this.dims = true;
    this.frames = 0;
    this.unknown = ''; // the name in the page's address, if it is of nothing
    placeItems(log, this.scale);
    this.found = search(this, '');
  }

  // ---- places ----

  xOf(u) { return this.left + (u - this.u0) * this.perU; }
  uOf(x) { return this.u0 + (x - this.left) / this.perU; }

  resize() {
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.lines, this.overview]) {
      canvas.width = Math.max(1, Math.round(canvas.clientWidth * this.ratio));
      canvas.height = Math.max(1, Math.round(canvas.clientHeight * this.ratio));
    }
    this.width = Math.max(40, this.lines.clientWidth);
    this.height = Math.max(40, this.lines.clientHeight);
    this.left = this.width < 620 ? 78 : 150;
    this.lay();
    this.show(this.u0, this.u1);
  }

  lay() {
    this.tall = layRows(this.log, this.groups, this.size);
    this.scroll(0);
  }

  // Shows a stretch, or as much as there is.
  show(u0, u1) {
    const { scale } = this, whole = scale.u1 - scale.u0;
    let length = u0 === undefined ? whole : Math.min(whole, Math.max(u1 - u0, 20));
    let from = u0 === undefined ? scale.u0 : u0 - (length - (u1 - u0)) / 2;
    from = Math.min(Math.max(from, scale.u0), scale.u1 - length);
    this.u0 = from;
    this.u1 = from + length;
    this.perU = (this.width - this.left) / length;
    this.draw();
  }

  zoom(factor, x) {
    const at = x === undefined ? this.uOf(this.left + (this.width - this.left) / 2) : this.uOf(x);
    this.show(at - (at - this.u0) * factor, at + (this.u1 - at) * factor);
  }

  pan(pixels) {
    const by = Math.round(pixels * this.ratio) / this.ratio / this.perU; // whole pixels: see paintBlocks()
    const length = (this.width - this.left) / this.perU;
    this.u0 = Math.max(this.scale.u0, Math.min(this.u0 + by, this.scale.u1 - length));
    this.u1 = this.u0 + length;
    this.draw();
  }

  scroll(pixels) {
    this.top = Math.max(0, Math.min(this.top + pixels, this.tall - (this.height - AXIS)));
    this.draw();
  }

  zoomTo(begin, end) {
    const u0 = this.scale.toU(begin), u1 = this.scale.toU(end), margin = Math.max(10, (u1 - u0) * 0.15);
    this.show(u0 - margin, u1 + margin);
  }

  // Moves as little as needed to have a stretch in view.
  reveal(begin, end, track) {
    const u0 = this.scale.toU(begin), u1 = this.scale.toU(end), length = this.u1 - this.u0;
    if (u1 < this.u0 || u0 > this.u1 || u1 - u0 > length * 3 || u1 - u0 < length / 300) this.zoomTo(begin - (end - begin), end + (end - begin));
    if (!track) return;
    const group = this.groups.find((one) => one.tracks.includes(track));
    if (group.closed) {
      group.closed = false;
      this.lay();
    }
    const room = this.height - AXIS;
    if (track.y < this.top || track.y + track.h > this.top + room) this.scroll(track.y - room / 3 - this.top);
  }

  // ---- drawing ----

  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const begin = performance.now();
      drawLines(this);
      drawOverview(this);
      this.took = performance.now() - begin;
      this.frames++;
      if (this.drawn) this.drawn();
    });
  }

  recolour() {
    this.colours = coloursOf(this.lines);
    paintOperations(this);
    this.draw();
  }

  // ---- selection ----

  setCursor(time) {
    this.cursor = Math.min(Math.max(time, this.log.head.from), this.log.head.to);
    markPiece(this);
    if (!document.getElementById('state').hidden) showState(this);
    this.draw();
  }

  // To an operation, one of its blocks, or a track.
  go(place, stays) {
    this.unknown = '';
    if (this.selected !== NONE && !stays) this.past.push({ operation: this.selected, block: this.block });
    this.selected = place.operation ?? NONE;
    this.block = place.block ?? NONE;
    this.item = NONE;
    this.chosen = place.track || null;
    paintOperations(this);
    if (place.operation !== undefined) {
      const { ops, head } = this.log, begin = Math.max(head.from, Math.min(ops.queued[place.operation], ops.start[place.operation]));
      const end = Math.min(head.to, ops.end[place.operation]);
      if (!stays) {
        this.cursor = Math.min(Math.max(begin, head.from), head.to);
        this.reveal(begin, Math.max(begin, end), this.trackOf(place.operation));
      }
    } else if (place.track) {
      this.reveal(this.scale.toTime(this.u0), this.scale.toTime(this.u1), place.track);
    }
    showStory(this);
    if (!document.getElementById('state').hidden) showState(this);
    if (!document.getElementById('list').hidden && !stays) tab('story');
    this.draw();
  }

  none() {
    this.selected = this.item = this.block = NONE;
    this.chosen = null;
    paintOperations(this);
    showStory(this);
    this.draw();
  }

  // The first track that has the operation.
  trackOf(operation) {
    const { items, tracks } = this.log;
    for (const track of tracks) {
      if (track.kind === T.SM) continue;
      for (let i = track.first; i < track.first + track.items; i++)
        if (items.operation[i] === operation && items.kind[i] !== K.WAIT) return track;
    }
    return null;
  }

  // The item at a point; the track, the group.
  hit(x, y) {
    const at = y - AXIS + this.top, hit = { item: NONE, track: null, group: null };
    if (y < AXIS) return hit;
    for (const group of this.groups) {
      if (at < group.y || at >= group.y + group.h) continue;
      if (at < group.y + GROUP_ROW - 3) return { ...hit, group };
      hit.track = group.tracks.find((track) => track.shown && at >= track.y && at < track.y + track.h + GAP) || null;
    }
    if (!hit.track || x < this.left) return hit;
    const near = 4 / this.perU, u = this.uOf(x);
    let turn = -1, far = Infinity;
    visitItems(this.log, hit.track, u - near, u + near, (i) => {
      const [top, height] = boxNear(this.log, hit.track, i, at), mine = KINDS[this.log.items.kind[i]][2];
      const distance = Math.max(0, this.log.items.u0[i] - u, u - this.log.items.u1[i]);
      if (at < top - 1 || at > top + Math.max(2, height) + 1 || distance > far || distance === far && mine < turn) return;
      [hit.item, turn, far] = [i, mine, distance];
    });
    return hit;
  }

  click(x, y) {
    const hit = this.hit(x, y);
    if (hit.group) {
      hit.group.closed = !hit.group.closed;
      this.lay();
      return;
    }
    if (x < this.left) {
      if (hit.track) this.go({ track: hit.track });
      return;
    }
    this.setCursor(this.scale.toTime(this.uOf(x)));
    if (hit.item === NONE) return;
    const { items } = this.log, operation = items.operation[hit.item];
    const named = items.kind[hit.item] === K.SUBMIT ? this.log.byName.get('submission:' + items.number[hit.item]) : undefined;
    if (operation !== NONE || named !== undefined) {
      if (this.selected !== NONE) this.past.push({ operation: this.selected, block: this.block });
      this.go({ operation: operation !== NONE ? operation : named, block: items.kind[hit.item] === K.BLOCK ? items.number[hit.item] : NONE }, true);
    } else {
      this.none();
      this.item = hit.item;
      this.chosen = hit.track;
      showStory(this);
    }
    tab('story');
  }

  back() {
    const place = this.past.pop();
    if (!place) return;
    this.selected = NONE;
    this.go(place);
  }

  blocker() {
    const story = this.log.stories.get(this.selected);
    const row = story && waitsOfStory(story).find((one) => one.by && resolve(this.log, one.by));
    if (row) this.go(resolve(this.log, row.by));
  }

  // The next time at which something begins or ends, of the chosen tracks.
  edge(forward) {
    const { items, tracks } = this.log, now = this.cursor;
    let best = forward ? Infinity : -Infinity;
    const of = this.selected !== NONE ? (i) => items.operation[i] === this.selected : () => true;
    for (const track of tracks) {
      if (this.chosen && track !== this.chosen) continue;
      for (let i = track.first; i < track.first + track.items; i++)
        if (of(i))
          for (const time of [items.begin[i], items.end[i]])
            if (forward ? time > now && time < best : time < now && time > best) best = time;
    }
    if (!isFinite(best)) return;
    this.setCursor(best);
    this.follow();
  }

  follow() {
    const x = this.xOf(this.scale.toU(this.cursor)), room = this.width - this.left;
    if (x < this.left || x > this.left + room * 0.9) this.pan(x - this.left - room * 0.15);
  }

  // ---- playing ----

  play() {
    this.playing = !this.playing;
    const button = document.getElementById('play');
    button.textContent = this.playing ? '\u275a\u275a' : '\u25b6';
    button.setAttribute('aria-label', this.playing ? 'Stop' : 'Play');
    if (!this.playing) return;
    if (this.cursor >= this.log.head.to) this.cursor = this.log.head.from;
    tab('state');
    let before = performance.now(), told = 0;
    const step = (now) => {
      if (!this.playing) return;
      const u = this.scale.toU(this.cursor) + (this.u1 - this.u0) * Math.min(100, now - before) / 12000;
      before = now;
      this.cursor = Math.max(this.cursor, this.scale.toTime(Math.min(u, this.scale.u1)));
      if (now - told > 150) {
        told = now;
        showState(this);
      }
      this.follow();
      this.draw();
      if (u >= this.scale.u1) this.play();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // ---- switches ----

  cuts() {
    const begin = this.scale.toTime(this.u0), end = this.scale.toTime(this.u1), whole = this.u1 - this.u0 >= (this.scale.u1 - this.scale.u0) * 0.999;
    this.scale.cut(!this.scale.isCut);
    placeItems(this.log, this.scale);
    pressed('cuts', this.scale.isCut);
    if (whole) this.show();
    else this.show(this.scale.toU(begin), this.scale.toU(end));
  }

  colour() {
    this.byStream = !this.byStream;
    colourButton(this);
    this.recolour();
  }

  theme() {
    const dark = document.documentElement.classList.toggle('dark');
    this.themed = true;
    pressed('theme', dark);
    this.recolour();
  }

  seek(words) {
    this.words = words;
    this.found = search(this, words);
    this.at = NONE;
    tab('list');
  }

  next(by) {
    if (this.found.length === 0) return;
    this.at = this.at === NONE ? (by > 0 ? 0 : this.found.length - 1) : (this.at + by + this.found.length) % this.found.length;
    this.go(this.found[this.at]);
    tab('story');
  }
}

function pressed(id, on) {
  document.getElementById(id).setAttribute('aria-pressed', String(!!on));
}

function colourButton(view) {
  document.getElementById('colour').textContent = view.byStream ? (view.log.head.amd ? 'By queue' : 'By stream') : 'By kernel';
}

let page = null; // the View

function tab(name) {
  for (const other of ['story', 'state', 'list']) {
    document.getElementById(other).hidden = other !== name;
    document.getElementById('tab-' + other).setAttribute('aria-selected', String(other === name));
  }
  if (name === 'state') showState(page);
  if (name === 'list') showList(page);
}

// ---- all of it -------------------------------------------------------------------------------

function followScheme(view) {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    if (view && view.themed) return;
    document.documentElement.classList.toggle('dark', query.matches);
    pressed('theme', query.matches);
    if (view) view.recolour();
  };
  apply();
  if (view) query.addEventListener('change', apply);
}

// An operation, as run.html#K4 names it; what names none is told in the story's place.
function followHash(view) {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch (error) { /* taken as it is */ }
  const place = name && resolve(view.log, name);
  view.unknown = name && !place ? name : '';
  if (place) {
    view.go(place);
    return;
  }
  if (name) view.none();
  else showStory(view);
  if (name) tab('story');
}

async function main() {
  const busy = document.getElementById('busy');
  followScheme(null);
  try {
    const log = await readLog();
    page = new View(log);
    document.getElementById('counts').textContent = log.head.counts + '; ' + log.head.window;
    document.getElementById('cuts').hidden = !page.scale.hasCuts;
    followScheme(page);
    colourButton(page);
    page.recolour();
    page.resize();
    new ResizeObserver(() => page.resize()).observe(document.getElementById('stage'));
    listenPointers(page);
    listenOverview(page);
    listenKeys(page);
    listenTools(page);
    fillLegend(page);
    tab('story');
    followHash(page);
    window.addEventListener('hashchange', () => followHash(page));
    await new Promise((done) => { page.drawn = done; });
    busy.remove();
    document.documentElement.dataset.ready = '1';
  } catch (error) {
    busy.className = 'bad';
    busy.textContent = 'The page could not be read: ' + error.message + '. A browser of the last few years is needed, and the whole file.';
  }
}

main();
