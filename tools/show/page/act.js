// The memory map page: what a person does, and what tests ask.

// --- what a person does ---

function hit(x, y) {
  const cell = cellAt(x, y);
  if (!cell) return null;
  const lane = laneOf(cell.side, cell.lane);
  const t = timeAt(cell, x);
  const a = addressAt(cell, y);
  // What is thinner than a pixel is hit within one.
  const dt = (timesOf(cell.lane)[1] - timesOf(cell.lane)[0]) / cell.w;
  const da = (view.address[cell.lane][1] - view.address[cell.lane][0]) /
             cell.h;
  let near = -1;
  for (let i = 0; i < lane.count; ++i) {
    if (lane.lo[i] > t + dt || lane.end[i] < t - dt ||
        lane.low[i] > a + da || lane.high[i] < a - da) {
      continue;
    }
    if (lane.lo[i] <= t && t < lane.end[i] && lane.low[i] <= a &&
        a < lane.high[i]) {
      return {side: cell.side, lane: cell.lane, index: i};
    }
    if (near < 0 && (lane.end[i] - lane.lo[i] < dt ||
                     lane.high[i] - lane.low[i] < da)) {
      near = i;
    }
  }
  return near < 0 ? null : {side: cell.side, lane: cell.lane, index: near};
}

const same = (a, b) => a === b || (a && b && a.side === b.side &&
                                   a.lane === b.lane && a.index === b.index);

function setHover(what, x, y) {
  const tip = $('tip');
  if (!same(what, hover)) {
    hover = what;
    tip.textContent = what ? describe(what) : '';
    tip.style.display = what ? 'block' : 'none';
    invalidate();
  }
  if (!what) return;
  const right = x + 14 + tip.offsetWidth > canvas.clientWidth;
  const below = y + 14 + tip.offsetHeight > canvas.clientHeight;
  tip.style.left = `${right ? Math.max(0, x - 14 - tip.offsetWidth) : x + 14}px`;
  tip.style.top = `${below ? Math.max(0, y - 14 - tip.offsetHeight) : y + 14}px`;
}

function select(what) {
  selected = what;
  $('detail').textContent = what ? describe(what).split('\n').join('   ') : '';
  invalidate();
}

// Keeps the view near what there is, and as wide as doubles can tell.
function clampSpan(from, to, least, most, smallest) {
  let width = Math.min(Math.max(to - from, smallest), (most - least) * 1.5);
  let start = (from + to - width) / 2;
  start = Math.max(least - width * 0.9, Math.min(start, most - width * 0.1));
  return [start, start + width];
}
function setTimes(lane, t0, t1) {
  const [least, most] = whole.times[kindOf[lane]];
  view.times[kindOf[lane]] = clampSpan(t0, t1, least, most, 1);
}
function setAddresses(lane, a0, a1) {
  const [least, most] = whole.address[lane];
  view.address[lane] = clampSpan(a0, a1, least, most,
                                 Math.max(1, (most - least) * 1e-9));
}

function zoom(cell, x, y, factor, times, addresses) {
  if (times) {
    const t = timeAt(cell, x);
    const [t0, t1] = timesOf(cell.lane);
    setTimes(cell.lane, t - (t - t0) * factor, t + (t1 - t) * factor);
  }
  if (addresses) {
    const a = addressAt(cell, y);
    const [a0, a1] = view.address[cell.lane];
    setAddresses(cell.lane, a - (a - a0) * factor, a + (a1 - a) * factor);
  }
  invalidate();
}

function pan(cell, dx, dy) {
  const [t0, t1] = timesOf(cell.lane);
  const dt = dx / cell.w * (t1 - t0);
  setTimes(cell.lane, t0 - dt, t1 - dt);
  const [a0, a1] = view.address[cell.lane];
  const da = dy / cell.h * (a1 - a0);
  setAddresses(cell.lane, a0 + da, a1 + da);
  invalidate();
}

const place = (event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  const [x, y] = place(event);
  const cell = cellAt(x, y);
  if (!cell) return;
  const notches = Math.max(-3, Math.min(3, event.deltaY / 100 ||
                                            event.deltaX / 100));
  zoom(cell, x, y, Math.pow(1.25, notches), !event.altKey, !event.shiftKey);
}, {passive: false});

let drag = null;  // {cell, x, y, moved}
canvas.addEventListener('pointerdown', (event) => {
  const [x, y] = place(event);
  const cell = cellAt(x, y);
  if (!cell || event.button !== 0) return;
  drag = {cell, x, y, moved: false};
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', (event) => {
  const [x, y] = place(event);
  if (!drag) {
    setHover(hit(x, y), x, y);
    return;
  }
  if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < 3) return;
  drag.moved = true;
  canvas.classList.add('moving');
  setHover(null);
  pan(drag.cell, x - drag.x, y - drag.y);
  drag.x = x;
  drag.y = y;
});
canvas.addEventListener('pointerup', (event) => {
  const [x, y] = place(event);
  if (drag && !drag.moved) select(hit(x, y));
  drag = null;
  canvas.classList.remove('moving');
});
canvas.addEventListener('pointercancel', () => { drag = null; });
canvas.addEventListener('pointerleave', () => { if (!drag) setHover(null); });
canvas.addEventListener('dblclick', resetView);

canvas.addEventListener('keydown', (event) => {
  const cell = cells()[0];
  if (!cell) return;
  const x = cell.x + cell.w / 2;
  const y = cell.y + cell.h / 2;
  const keys = {
    ArrowLeft: () => pan(cell, cell.w / 10, 0),
    ArrowRight: () => pan(cell, -cell.w / 10, 0),
    ArrowUp: () => pan(cell, 0, cell.h / 10),
    ArrowDown: () => pan(cell, 0, -cell.h / 10),
    '+': () => zoom(cell, x, y, 0.8, true, true),
    '-': () => zoom(cell, x, y, 1.25, true, true),
    '0': resetView,
    Escape: () => select(null),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

// --- search ---

function search(text) {
  const wantedText = text.toLowerCase();
  matches = wantedText ? [] : null;
  matchAt = -1;
  eachLane((lane, s, l) => {
    lane.found = new Uint8Array(lane.count);
    if (!matches) return;
    lane.source.name.forEach((name, i) => {
      if (!name.toLowerCase().includes(wantedText)) return;
      lane.found[i] = 1;
      matches.push([s, l, i]);
    });
  });
  $('matches').textContent =
      matches ? `${count(matches.length)} found` : '';
  colorAll();
  invalidate();
}

// Shows the next match with its surroundings, and selects it.
function nextMatch() {
  if (!matches || !matches.length) return;
  matchAt = (matchAt + 1) % matches.length;
  const [side, lane, index] = matches[matchAt];
  if (!shown[lane]) toggleLane(lane);
  const l = laneOf(side, lane);
  const [t0, t1] = timesOf(lane);
  const t = Math.max(l.end[index] - l.lo[index], (t1 - t0) / 20);
  const a = Math.max(l.high[index] - l.low[index],
                     (view.address[lane][1] - view.address[lane][0]) / 20);
  setTimes(lane, l.lo[index] - 2 * t, l.end[index] + 2 * t);
  setAddresses(lane, l.low[index] - 2 * a, l.high[index] + 2 * a);
  $('matches').textContent =
      `${count(matchAt + 1)} of ${count(matches.length)}`;
  select({side, lane, index});
}

$('find').addEventListener('input', (event) => search(event.target.value));
$('find').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') nextMatch();
});
$('color').addEventListener('change', (event) => {
  colorBy = event.target.value;
  colorAll();
  invalidate();
});
$('fit').addEventListener('click', resetView);
new ResizeObserver(invalidate).observe(canvas);

function toggleLane(lane) {
  shown[lane] = !shown[lane];
  $('lanes').children[lane].setAttribute('aria-pressed', shown[lane]);
  setHover(null);
  invalidate();
}
if (laneCount > 1) {
  for (let l = 0; l < laneCount; ++l) {
    const button = document.createElement('button');
    const side = sides.find((s) => s.lanes[l]);
    button.textContent = side.lanes[l].source.title;
    button.setAttribute('aria-pressed', shown[l]);
    button.addEventListener('click', () => toggleLane(l));
    $('lanes').append(button);
  }
}

search('');

// For tests, and for the curious.
window.berthMap = {
  frames,
  state: () => ({
    times: copy(view.times), address: copy(view.address),
    shown: shown.slice(), colorBy,
    matches: matches ? matches.length : null,
    hover: hover && laneOf(hover.side, hover.lane).source.name[hover.index],
    selected: selected &&
        laneOf(selected.side, selected.lane).source.name[selected.index],
    ranges: sides.map((s) => s.lanes.map((l) => l.count)),
  }),
  // Where a live range's middle is on the page, in CSS pixels.
  placeOf: (side, lane, index) => {
    const cell = cells().find((c) => c.side === side && c.lane === lane);
    const l = laneOf(side, lane);
    const box = canvas.getBoundingClientRect();
    return [box.left + (xOf(cell, l.lo[index]) + xOf(cell, l.end[index])) / 2,
            box.top + (yOf(cell, l.low[index]) + yOf(cell, l.high[index])) / 2];
  },
  // The colour of a point of the page, as drawn: [r, g, b].
  colorAt: (x, y) => {
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / canvas.clientWidth;
    return Array.from(context.getImageData(
        Math.round((x - box.left) * scale), Math.round((y - box.top) * scale),
        1, 1).data.slice(0, 3));
  },
};
