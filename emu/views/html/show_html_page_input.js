// SPDX-License-Identifier: MIT
// Mouse, fingers, wheel, keys and buttons.

// ---- mouse, fingers, wheel -------------------------------------------------------------------

function listenPointers(view) {
  const { lines } = view, points = new Map();
  let moved = false, spread = 0;
  const place = (event) => [event.offsetX, event.offsetY];
  lines.addEventListener('pointerdown', (event) => {
    lines.setPointerCapture(event.pointerId);
    points.set(event.pointerId, place(event));
    moved = points.size > 1;
    spread = 0;
    document.getElementById('tip').hidden = true;
  });
  lines.addEventListener('pointermove', (event) => {
    if (!points.has(event.pointerId)) {
      tip(view, event);
      return;
    }
    const [x, y] = place(event), [x0, y0] = points.get(event.pointerId);
    if (!moved && Math.hypot(x - x0, y - y0) < 5) return;
    moved = true;
    points.set(event.pointerId, [x, y]);
    if (points.size === 2) {
      const [a, b] = [...points.values()], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread > 0 && now > 0) view.zoom(spread / now, (a[0] + b[0]) / 2);
      spread = now;
    } else {
      view.pan(x0 - x);
      view.scroll(y0 - y);
    }
  });
  const end = (event) => {
    if (points.has(event.pointerId) && !moved && event.type === 'pointerup') view.click(...place(event));
    points.delete(event.pointerId);
  };
  lines.addEventListener('pointerup', end);
  lines.addEventListener('pointercancel', end);
  lines.addEventListener('pointerleave', () => { document.getElementById('tip').hidden = true; });
  lines.addEventListener('dblclick', () => zoomToSelection(view));
  lines.addEventListener('wheel', (event) => {
    event.preventDefault();
    const by = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    if (event.ctrlKey || event.metaKey) view.zoom(Math.exp(by / 300), Math.max(view.left, event.offsetX));
    else if (event.shiftKey) view.pan(by || event.deltaX);
    else {
      if (event.deltaX) view.pan(event.deltaX);
      view.scroll(by);
    }
  }, { passive: false });
}

function listenOverview(view) {
  let held = false;
  const to = (event) => {
    const share = (event.offsetX - view.left) / (view.width - view.left), { scale } = view, length = view.u1 - view.u0;
    const at = scale.u0 + share * (scale.u1 - scale.u0), from = Math.min(Math.max(at - length / 2, scale.u0), scale.u1 - length);
    view.show(from, from + length);
  };
  view.overview.addEventListener('pointerdown', (event) => {
    held = true;
    view.overview.setPointerCapture(event.pointerId);
    to(event);
  });
  view.overview.addEventListener('pointermove', (event) => { if (held) to(event); });
  view.overview.addEventListener('pointerup', () => { held = false; });
}

function tip(view, event) {
  const box = document.getElementById('tip'), hit = view.hit(event.offsetX, event.offsetY);
  box.hidden = hit.item === NONE;
  if (box.hidden) return;
  box.textContent = itemWords(view, hit.item).join('\n');
  const stage = box.parentElement, top = view.lines.offsetTop + event.offsetY + 16;
  box.style.left = Math.max(4, Math.min(event.offsetX + 14, stage.clientWidth - box.offsetWidth - 6)) + 'px';
  box.style.top = (top + box.offsetHeight > stage.clientHeight ? top - box.offsetHeight - 28 : top) + 'px';
}

function zoomToSelection(view) {
  const { ops, items } = view.log;
  if (view.selected !== NONE) view.zoomTo(ops.queued[view.selected], isFinite(ops.end[view.selected]) ? ops.end[view.selected] : view.log.head.to);
  else if (view.item !== NONE) view.zoomTo(items.begin[view.item], items.end[view.item]);
}

// ---- keys ------------------------------------------------------------------------------------

function listenKeys(view) {
  const cursorX = () => {
    const x = view.xOf(view.scale.toU(view.cursor));
    return x >= view.left && x <= view.width ? x : undefined;
  };
  const keys = { ArrowLeft: () => view.pan(-80), ArrowRight: () => view.pan(80), ArrowUp: () => view.scroll(-40), ArrowDown: () => view.scroll(40),
    PageUp: () => view.scroll(60 - view.height), PageDown: () => view.scroll(view.height - 60), Home: () => view.pan(-1e300), End: () => view.pan(1e300),
    '+': () => view.zoom(0.6, cursorX()), '=': () => view.zoom(0.6, cursorX()), '-': () => view.zoom(1 / 0.6, cursorX()), 0: () => view.show(),
    f: () => zoomToSelection(view), '[': () => view.edge(false), ']': () => view.edge(true), ' ': () => view.play(), g: () => view.cuts(), c: () => view.colour(),
    t: () => view.theme(), n: () => view.next(1), N: () => view.next(-1), b: () => view.blocker(), Backspace: () => view.back(), Escape: () => view.none(),
    h: () => { view.size = view.size >= 3 ? 1 : view.size + 1; view.lay(); }, '/': () => document.getElementById('search').focus(),
    '?': () => document.getElementById('help').showModal() };
  document.addEventListener('keydown', (event) => {
    const inField = event.target.tagName === 'INPUT', onButton = event.target.tagName === 'BUTTON' || event.target.tagName === 'SUMMARY';
    if (event.ctrlKey || event.metaKey || event.altKey || inField || document.getElementById('help').open) return;
    if (onButton && event.key === ' ') return;
    if (event.target.tagName === 'SECTION' && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
}

function listenTools(view) {
  const on = (id, act) => document.getElementById(id).addEventListener('click', act), field = document.getElementById('search');
  const help = document.getElementById('help');
  on('play', () => view.play());
  on('out', () => view.zoom(1 / 0.6));
  on('in', () => view.zoom(0.6));
  on('fit', () => view.show());
  on('cuts', () => view.cuts());
  on('colour', () => view.colour());
  on('theme', () => view.theme());
  on('keys', () => help.showModal());
  on('close', () => help.close());
  for (const name of ['story', 'state', 'list']) on('tab-' + name, () => tab(name));
  field.addEventListener('input', () => view.seek(field.value));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') view.next(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') view.lines.focus();
  });
}

function fillLegend(view) {
  const used = view.log.tracks.reduce((all, track) => all | track.kinds, 0), list = document.getElementById('legend');
  KINDS.forEach(([name, colour], kind) => {
    if (!(used >> kind & 1)) return;
    const box = make('i', '');
    box.style.background = colour ? 'var(--' + colour + ')' : PALETTE[0];
    list.append(make('li', '', box, name));
  });
}
