// The memory map page: a canvas that is drawn anew for each frame. Every live
// range is a rectangle, and rectangles of one placement do not overlap, so a
// frame fills each pixel about once, straight into an array of pixels; that
// keeps a hundred thousand of them well within a frame. See html.h.
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($('data').textContent);
  const canvas = $('map');
  // Kept in main memory: frames are put there whole.
  const context = canvas.getContext('2d', {willReadFrequently: true});

  const GUTTER = 88;      // left of each side: addresses
  const LANE_TITLE = 18;  // above each lane
  const AXIS = 38;        // below the last lane of one kind of time
  const PAPER = [250, 250, 247];

  // --- the data, as columns of numbers ---

  const exact = (value) => BigInt(value);
  const pixel = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  const parseColor = (text) =>
      [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

  // Of one panel: lo, end (exclusive), low and high address as doubles; what is
  // shown in words is taken from `source`, which is exact.
  function toLane(panel) {
    const n = panel.name.length;
    const lane = {source: panel, count: n, lo: new Float64Array(n),
                  end: new Float64Array(n), low: new Float64Array(n),
                  high: new Float64Array(n), colors: new Uint32Array(n),
                  byName: null};
    for (let i = 0; i < n; ++i) {
      lane.lo[i] = Number(panel.lo[i]);
      lane.end[i] = Number(panel.hi[i]) + 1;
      lane.low[i] = Number(panel.address[i]);
      lane.high[i] = Number(exact(panel.address[i]) + exact(panel.size[i]));
    }
    return lane;
  }

  const sides = data.sides.map((side) => ({
    title: side.title, lanes: side.panels.map(toLane)}));
  const laneCount = Math.max(0, ...sides.map((side) => side.lanes.length));
  const laneOf = (side, index) => sides[side].lanes[index];
  const eachLane = (work) => sides.forEach(
      (side, s) => side.lanes.forEach((lane, l) => work(lane, s, l)));

  function sameName(lane, name) {
    if (!lane.byName) {
      lane.byName = new Map();
      lane.source.name.forEach((text, i) => {
        if (!lane.byName.has(text)) lane.byName.set(text, []);
        lane.byName.get(text).push(i);
      });
    }
    return lane.byName.get(name) || [];
  }

  // --- the view: addresses are each lane's own; times are common to lanes of
  // one kind of time (instructions, or the phases of the shared space) ---

  const kinds = [];   // time labels
  const kindOf = [];  // of each lane
  for (let l = 0; l < laneCount; ++l) {
    const label = sides.find((side) => side.lanes[l])
        .lanes[l].source.time_label;
    if (!kinds.includes(label)) kinds.push(label);
    kindOf.push(kinds.indexOf(label));
  }

  const whole = {times: kinds.map(() => [Infinity, -Infinity]), address: []};
  (() => {
    for (let l = 0; l < laneCount; ++l) whole.address.push([0, 1]);
    eachLane((lane, s, l) => {
      const times = whole.times[kindOf[l]];
      let low = Infinity;
      let high = -Infinity;
      for (let i = 0; i < lane.count; ++i) {
        times[0] = Math.min(times[0], lane.lo[i]);
        times[1] = Math.max(times[1], lane.end[i]);
        low = Math.min(low, lane.low[i]);
        high = Math.max(high, lane.high[i]);
      }
      for (const mark of lane.source.marks) {
        // A ceiling far above would press all that is drawn to the floor.
        if (mark.kind === 'ceiling') continue;
        low = Math.min(low, Number(mark.address));
        high = Math.max(high, Number(mark.address));
      }
      const span = whole.address[l];
      if (low > high) return;
      if (s === 0 || low < span[0]) span[0] = low;
      if (s === 0 || high > span[1]) span[1] = high;
    });
    for (const times of whole.times) {
      if (times[0] >= times[1]) times.splice(0, 2, 0, 1);
    }
    for (const span of whole.address) {
      if (span[1] <= span[0]) span[1] = span[0] + 1;
      span[1] += (span[1] - span[0]) * 0.03;  // room for the peak's line
    }
  })();

  const copy = (spans) => spans.map((span) => span.slice());
  const view = {times: copy(whole.times), address: copy(whole.address)};
  const timesOf = (lane) => view.times[kindOf[lane]];
  const shown = Array.from({length: laneCount}, (_, l) => l < 6);
  let colorBy = 'usage';
  let matches = null;  // [side, lane, index] in order; null: no search
  let matchAt = -1;
  let hover = null;     // {side, lane, index}
  let selected = null;  // the same
  const frames = {draw: [], interval: []};

  function resetView() {
    view.times = copy(whole.times);
    view.address = copy(whole.address);
    invalidate();
  }

  // --- colours ---

  const categories = data.categories.map(
      (c) => ({name: c.name, color: parseColor(c.color)}));
  // From pale to dark, readable in grey too.
  const RAMP = [[253, 231, 176], [247, 186, 100], [228, 128, 74],
                [186, 76, 84], [122, 44, 98], [58, 20, 84]];
  function ramp(x) {
    const at = Math.max(0, Math.min(1, x)) * (RAMP.length - 1);
    const i = Math.min(RAMP.length - 2, Math.floor(at));
    return RAMP[i].map((c, k) =>
        Math.round(c + (RAMP[i + 1][k] - c) * (at - i)));
  }
  const pale = (color) => color.map(
      (c, k) => Math.round(c * 0.18 + PAPER[k] * 0.82));

  // What a colour by size or age stands for.
  function measure(lane, i) {
    return colorBy === 'size' ? lane.high[i] - lane.low[i] :
                                lane.end[i] - lane.lo[i];
  }

  function colorAll() {
    let least = Infinity;
    let most = 0;
    if (colorBy !== 'usage') {
      eachLane((lane) => {
        for (let i = 0; i < lane.count; ++i) {
          const value = Math.max(1, measure(lane, i));
          least = Math.min(least, value);
          most = Math.max(most, value);
        }
      });
    }
    const span = Math.log(most / least) || 1;
    eachLane((lane) => {
      const kind = lane.source.kind;
      for (let i = 0; i < lane.count; ++i) {
        let color = colorBy === 'usage' ?
            categories[kind.charCodeAt(i) - 48].color :
            ramp(Math.log(Math.max(1, measure(lane, i)) / least) / span);
        if (matches && !lane.found[i]) color = pale(color);
        lane.colors[i] = pixel(color);
      }
    });
    drawLegend(least, most);
  }

  function drawLegend(least, most) {
    const legend = $('legend');
    legend.textContent = '';
    const add = (text, style, name) => {
      const item = document.createElement('span');
      const swatch = document.createElement('span');
      swatch.className = name;
      swatch.style.background = style;
      item.append(swatch, text);
      legend.append(item);
    };
    if (colorBy === 'usage') {
      const used = new Set();
      eachLane((lane) => { for (const c of lane.source.kind) used.add(+c); });
      categories.forEach((c, i) => {
        if (used.has(i)) add(c.name, `rgb(${c.color})`, 'swatch');
      });
      return;
    }
    const text = colorBy === 'size' ? bytes : (n) => count(n);
    const stops = RAMP.map((c) => `rgb(${c})`).join(',');
    legend.append(isFinite(least) ? text(least) : '');
    add(most ? text(most) : '', `linear-gradient(to right,${stops})`, 'ramp');
  }

  // --- words ---

  const count = (n) => n.toLocaleString('en-US', {maximumFractionDigits: 2});
  function bytes(n) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
    let unit = 0;
    let value = Number(n);
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      ++unit;
    }
    return `${+value.toFixed(value < 10 ? 2 : 1)} ${units[unit]}`;
  }

  function describe({side, lane, index}) {
    const panel = laneOf(side, lane).source;
    const lines = [panel.name[index]];
    const low = exact(panel.address[index]);
    const size = exact(panel.size[index]);
    const words = [categories[+panel.kind[index]].name];
    if (panel.pinned[index] === '1') words.push('pinned');
    lines.push(`${words.join(', ')}, ${size} bytes (${bytes(size)})`);
    lines.push(`at [${low}, ${low + size})`);
    lines.push(`live [${panel.lo[index]}, ${panel.hi[index]}]`);
    sides.forEach((other, s) => {
      if (s === side || !other.lanes[lane]) return;
      const there = sameName(other.lanes[lane], panel.name[index]);
      if (there.length) {
        lines.push(`${other.title}: at ` +
                   `${other.lanes[lane].source.address[there[0]]}`);
      }
    });
    return lines.join('\n');
  }

  // --- geometry: one cell for each shown lane of each side ---

  function cells() {
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    const lanes = [];
    shown.forEach((on, l) => { if (on) lanes.push(l); });
    // The last lane of a kind has the axis of all above it.
    const last = lanes.map((l, row) => row === lanes.length - 1 ||
                                       kindOf[lanes[row + 1]] !== kindOf[l]);
    const axes = last.filter((on) => on).length;
    const each = Math.max(
        20, Math.floor((height - AXIS * axes) / (lanes.length || 1)));
    const across = Math.floor(width / sides.length);
    const all = [];
    sides.forEach((side, s) => {
      let top = 0;
      lanes.forEach((l, row) => {
        if (side.lanes[l]) {
          all.push({side: s, lane: l, x: s * across + GUTTER,
                    y: top + LANE_TITLE, w: across - GUTTER - 8,
                    h: each - LANE_TITLE - 4, last: last[row]});
        }
        top += each + (last[row] ? AXIS : 0);
      });
    });
    return all;
  }

  function cellAt(x, y) {
    return cells().find((c) => x >= c.x && x < c.x + c.w && y >= c.y &&
                               y < c.y + c.h) || null;
  }
  function timeAt(cell, x) {
    const [t0, t1] = timesOf(cell.lane);
    return t0 + (x - cell.x) / cell.w * (t1 - t0);
  }
  function addressAt(cell, y) {
    const [a0, a1] = view.address[cell.lane];
    return a0 + (cell.y + cell.h - y) / cell.h * (a1 - a0);
  }
  function xOf(cell, t) {
    const [t0, t1] = timesOf(cell.lane);
    return cell.x + (t - t0) / (t1 - t0) * cell.w;
  }
  function yOf(cell, address) {
    const [a0, a1] = view.address[cell.lane];
    return cell.y + cell.h - (address - a0) / (a1 - a0) * cell.h;
  }

  // --- a frame ---

  let image = null;
  let pixels = null;

  function rasterCell(cell, scale, labels) {
    const lane = laneOf(cell.side, cell.lane);
    const stride = image.width;
    const x0 = Math.round(cell.x * scale);
    const y0 = Math.round(cell.y * scale);
    const w = Math.round(cell.w * scale);
    const h = Math.round(cell.h * scale);
    if (w <= 0 || h <= 0) return;
    const paper = pixel(PAPER);
    for (let y = 0; y < h; ++y) {
      const at = (y0 + y) * stride + x0;
      pixels.fill(paper, at, at + w);
    }
    const [t0, t1] = timesOf(cell.lane);
    const [a0, a1] = view.address[cell.lane];
    const sx = w / (t1 - t0);
    const sy = h / (a1 - a0);
    const band = (low, high, color) => {
      const top = Math.max(0, Math.floor(h - (high - a0) * sy));
      const bottom = Math.min(h, Math.floor(h - (low - a0) * sy));
      for (let y = top; y < bottom; ++y) {
        const at = (y0 + y) * stride + x0;
        pixels.fill(color, at, at + w);
      }
    };
    const cc = lane.source.cc;
    if (cc) band(Number(cc[0]), Number(cc[1]), pixel([251, 230, 220]));
    const {lo, end, low, high, colors, count: n} = lane;
    for (let i = 0; i < n; ++i) {
      if (end[i] <= t0 || lo[i] >= t1 || high[i] < a0 || low[i] >= a1) continue;
      // Nothing is thinner than a pixel; what is wide leaves one free.
      const left = Math.max(0, Math.floor((lo[i] - t0) * sx));
      let right = Math.min(w, Math.floor((end[i] - t0) * sx));
      let top = Math.max(0, Math.floor(h - (high[i] - a0) * sy));
      const bottom = Math.min(h, Math.max(
          top + 1, Math.floor(h - (low[i] - a0) * sy)));
      if (right <= left) right = left + 1;
      if (right - left >= 4 && bottom - top >= 3) {
        --right;
        ++top;
      }
      const color = colors[i];
      const across = right - left;
      for (let y = top; y < bottom; ++y) {
        const at = (y0 + y) * stride + x0 + left;
        if (across > 12) {
          pixels.fill(color, at, at + across);
        } else {
          for (let x = at; x < at + across; ++x) pixels[x] = color;
        }
      }
      if (across > 46 * scale && bottom - top > 13 * scale &&
          labels.length < 300) {
        labels.push([lane.source.name[i], (x0 + left + across / 2) / scale,
                     (y0 + (top + bottom) / 2) / scale, across / scale,
                     color]);
      }
    }
  }

  function ticks(from, to, most, base) {
    let step = 1;  // of bytes or instructions
    const factors = base ? [2] : [2, 2.5, 2];
    for (let i = 0; (to - from) / step > most; ++i) {
      step *= factors[i % factors.length];
    }
    const out = [];
    for (let v = Math.ceil(from / step) * step; v < to; v += step) out.push(v);
    return out;
  }

  const MARKS = {peak: '#a01c1c', lower_bound: '#004c8c', floor: '#222',
                 ceiling: '#666', other: '#666'};

  function drawMarks(cell) {
    const lane = laneOf(cell.side, cell.lane);
    // From the top down, so that words get out of each other's way.
    const marks = lane.source.marks.map(
        (mark) => ({...mark, y: yOf(cell, Number(mark.address))}))
        .filter((m) => m.y >= cell.y - 1 && m.y <= cell.y + cell.h + 1)
        .sort((a, b) => a.y - b.y);
    for (const mark of marks) {
      context.strokeStyle = MARKS[mark.kind];
      context.setLineDash(mark.kind === 'lower_bound' ? [6, 4] : []);
      context.beginPath();
      context.moveTo(cell.x, Math.round(mark.y) + 0.5);
      context.lineTo(cell.x + cell.w, Math.round(mark.y) + 0.5);
      context.stroke();
    }
    context.textAlign = 'right';
    context.textBaseline = 'alphabetic';
    let lowest = cell.y - 2;
    for (const mark of marks) {
      const y = Math.max(mark.y - 3, lowest + 13);
      lowest = y;
      if (y > cell.y + cell.h) continue;
      const width = context.measureText(mark.label).width;
      context.fillStyle = 'rgba(255,255,255,0.85)';
      context.fillRect(cell.x + cell.w - width - 8, y - 11, width + 6, 14);
      context.fillStyle = MARKS[mark.kind];
      context.fillText(mark.label, cell.x + cell.w - 5, y);
    }
    context.setLineDash([]);
  }

  function drawAxes(cell) {
    const lane = laneOf(cell.side, cell.lane);
    context.fillStyle = '#222';
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
    const side = sides.length > 1 ? `${sides[cell.side].title}: ` : '';
    const lost = lane.source.unplaced;
    context.fillText(`${side}${lane.source.title}, ${count(lane.count)} live ` +
                     `ranges${lost ? `, ${count(lost)} without address` : ''}`,
                     cell.x, cell.y - 5);
    context.fillStyle = '#666';
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const [a0, a1] = view.address[cell.lane];
    for (const a of ticks(Math.max(0, a0), a1, Math.max(2, cell.h / 40), true)) {
      context.fillText(bytes(a), cell.x - 6, yOf(cell, a));
    }
    if (!cell.last) return;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    const [t0, t1] = timesOf(cell.lane);
    for (const t of ticks(t0, t1, Math.max(2, cell.w / 90), false)) {
      context.fillText(count(t), xOf(cell, t), cell.y + cell.h + 5);
    }
    context.fillText(lane.source.time_label, cell.x + cell.w / 2,
                     cell.y + cell.h + 21);
  }

  // Outlines every live range of that name, on both sides.
  function outline(cell, what, color, width) {
    if (!what || what.lane !== cell.lane) return;
    const name = laneOf(what.side, what.lane).source.name[what.index];
    const lane = laneOf(cell.side, cell.lane);
    context.strokeStyle = color;
    context.lineWidth = width;
    for (const i of sameName(lane, name)) {
      const x = Math.max(cell.x - 3, xOf(cell, lane.lo[i]));
      const y = Math.max(cell.y - 3, yOf(cell, lane.high[i]));
      const right = Math.min(cell.x + cell.w + 3, xOf(cell, lane.end[i]));
      const bottom = Math.min(cell.y + cell.h + 3, yOf(cell, lane.low[i]));
      if (right < x || bottom < y) continue;
      context.strokeRect(x, y, Math.max(2, right - x), Math.max(2, bottom - y));
    }
    context.lineWidth = 1;
  }

  function draw() {
    const scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * scale));
    const height = Math.max(1, Math.round(canvas.clientHeight * scale));
    if (!image || image.width !== width || image.height !== height) {
      canvas.width = width;
      canvas.height = height;
      image = context.createImageData(width, height);
      pixels = new Uint32Array(image.data.buffer);
    }
    pixels.fill(0xffffffff);
    const all = cells();
    const labels = [];
    for (const cell of all) rasterCell(cell, scale, labels);
    context.putImageData(image, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '11px Helvetica, Arial, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [text, x, y, room, color] of labels) {
      const light = (color & 255) * 0.3 + (color >> 8 & 255) * 0.6 +
                    (color >> 16 & 255) * 0.1;
      context.fillStyle = light > 110 ? '#111' : '#fff';
      const fits = Math.floor(room / 6.2);
      context.fillText(
          text.length <= fits ? text : `${text.slice(0, fits - 1)}\u2026`, x, y);
    }
    for (const cell of all) {
      context.save();
      context.beginPath();
      context.rect(cell.x - 2, cell.y - 2, cell.w + 4, cell.h + 4);
      context.clip();
      outline(cell, selected, '#000', 2.5);
      outline(cell, hover, '#000', 1.25);
      drawMarks(cell);
      context.restore();
      drawAxes(cell);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  let wanted = false;
  let lastFrame = 0;
  function invalidate() {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame((now) => {
      wanted = false;
      const start = performance.now();
      draw();
      frames.draw.push(performance.now() - start);
      // An interval counts only where frames follow each other.
      if (now - lastFrame < 250) frames.interval.push(now - lastFrame);
      lastFrame = now;
      for (const list of [frames.draw, frames.interval]) {
        if (list.length > 1000) list.splice(0, list.length - 1000);
      }
    });
  }

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
})();
