// The memory map page: a canvas that is drawn anew for each frame. Every live
// range is a rectangle, and rectangles of one placement do not overlap, so a
// frame fills each pixel about once, straight into an array of pixels; that
// keeps a hundred thousand of them well within a frame. See html.h.
//
// Its files are put together in one function: data.js, color.js, frame.js,
// act.js.
'use strict';

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
