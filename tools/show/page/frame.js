// The memory map page: where things stand, and how a frame is drawn.

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
