// The memory map page: colours, legend and words.

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
