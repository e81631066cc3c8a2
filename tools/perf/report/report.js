// Draws the charts of a report out of window.history_data (report.cc).
// A chart has a line for each environment (machine, compiler, flags): medians
// with the band of the middle half, and a dot wherever a run changed.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const colours = ['#0969da', '#8250df', '#bf8700', '#1b7c83', '#bc4c00', '#57606a'];
  const marks = {worse: '#c62828', changed: '#c62828', vanished: '#c62828',
                 unsteady: '#c62828', better: '#1a7f37', 'new': '#9a6700'};
  const charts = document.getElementById('charts');
  const find = document.getElementById('find');
  const measure = document.getElementById('measure');
  const changed = document.getElementById('changed');
  const count = document.getElementById('count');

  const scaled = (value, unit) => {
    if (value === 0) return '0';
    if (unit === 'ns') {
      for (const [size, name] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']]) {
        if (value >= size) return `${(value / size).toPrecision(4)} ${name}`;
      }
      return `${value.toPrecision(4)} ns`;
    }
    if (unit === 'bytes') {
      for (const [size, name] of [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']]) {
        if (value >= size) return `${(value / size).toPrecision(4)} ${name}`;
      }
      return `${+value.toPrecision(6)} bytes`;
    }
    return `${+value.toPrecision(6)}`;
  };

  // Columns for uPlot: x, then low, high and median of each environment.
  const columns = (series) => {
    const x = series.points.map((point) => point.run);
    const table = [x];
    const groups = [...new Set(series.points.map((p) => data.runs[p.run].group))];
    for (const group of groups) {
      for (const key of ['low', 'high', 'median']) {
        table.push(series.points.map(
            (p) => data.runs[p.run].group === group ? p[key] : null));
      }
    }
    return {table, groups};
  };

  const describe = (series, point) => {
    const run = data.runs[point.run];
    const label = run.label ? ` ${run.label}` : '';
    const mark = point.mark ? `, ${point.mark}` : '';
    return `run ${run.id} ${run.commit.slice(0, 10)}${label}: ` +
        `${scaled(point.median, series.unit)}${mark} · ${run.at}`;
  };

  const drawMarks = (series) => (u) => {
    const context = u.ctx;
    for (const point of series.points) {
      if (!point.mark) continue;
      const x = u.valToPos(point.run, 'x', true);
      const y = u.valToPos(point.median, 'y', true);
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      context.beginPath();
      context.arc(x, y, 5 * devicePixelRatio, 0, 2 * Math.PI);
      context.fillStyle = marks[point.mark];
      context.fill();
    }
  };

  const draw = (card, series) => {
    const {table, groups} = columns(series);
    const note = card.querySelector('.note');
    const last = series.points[series.points.length - 1];
    note.textContent = describe(series, last);
    const lines = [{}];
    const bands = [];
    for (const group of groups) {
      const colour = colours[group % colours.length];
      const at = lines.length;
      const edge = {stroke: 'transparent', spanGaps: true, points: {show: false}};
      lines.push(edge, edge, {stroke: colour, width: 1.5, spanGaps: true,
                              points: {show: true, size: 4}});
      bands.push({series: [at + 1, at], fill: colour + '22'});
    }
    const top = Math.max(...series.points.map((p) => p.high));
    const u = new uPlot({
      width: card.clientWidth - 20, height: 196,
      scales: {x: {time: false, range: (_, lo, hi) => [lo - 0.5, hi + 0.5]},
               y: {range: (_, lo, hi) => [0, Math.max(hi, top) * 1.1 || 1]}},
      axes: [
        {incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500], space: 70,
         values: (_, ticks) => ticks.map(
             (i) => data.runs[i] ? data.runs[i].commit.slice(0, 7) : '')},
        {size: 74, values: (_, ticks) => ticks.map((v) => scaled(v, series.unit))},
      ],
      series: lines, bands,
      cursor: {y: false, points: {show: false}},
      hooks: {
        draw: [drawMarks(series)],
        setCursor: [(plot) => {
          const i = plot.cursor.idx;
          note.textContent =
              describe(series, i == null ? last : series.points[i]);
        }],
      },
    }, table, card.querySelector('.plot'));
    card.chart = u;
  };

  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting || entry.target.chart) continue;
      draw(entry.target, entry.target.series);
      watcher.unobserve(entry.target);
    }
  }, {rootMargin: '300px'});

  const show = () => {
    watcher.disconnect();
    charts.textContent = '';
    const text = find.value.trim().toLowerCase();
    let shown = 0;
    for (const series of data.series) {
      if (measure.value && series.measure !== measure.value) continue;
      if (text && !series.benchmark.toLowerCase().includes(text)) continue;
      if (changed.checked && !series.points.some((p) => p.mark)) continue;
      const card = document.createElement('div');
      card.className = 'card';
      card.innerHTML = '<h3></h3><div class="note"></div><div class="plot"></div>';
      card.querySelector('h3').textContent = measure.value ?
          series.benchmark : `${series.benchmark} ${series.measure}`;
      card.querySelector('h3').title = `${series.benchmark} ${series.measure}`;
      card.series = series;
      charts.append(card);
      watcher.observe(card);
      ++shown;
    }
    count.textContent = `${shown} of ${data.series.length} series`;
  };

  const names = [...new Set(data.series.map((series) => series.measure))];
  for (const name of names) measure.append(new Option(name, name));
  if (names.includes('cpu_time')) measure.value = 'cpu_time';
  for (const control of [find, measure, changed]) {
    control.addEventListener('input', show);
  }
  show();
})();
