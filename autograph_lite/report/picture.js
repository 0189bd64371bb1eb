// The bodies of control flow fold, and what is around them moves together.
for (const report of document.querySelectorAll('.ag-report:not([data-drawn])')) {
  report.dataset.drawn = '';
  const parts = (from, selector) => [...from.children].filter((each) => each.matches(selector));
  const titleOf = (box) => parts(box, '.title')[0];
  // Width and height of a box; lays out what is inside.
  const size = (box) => {
    const inner = parts(box, '.part');
    if (!inner.length) return [Number(box.dataset.width), Number(box.dataset.height)];
    const title = (titleOf(box).textContent.length - 1) * 6.7 + 50;
    if (box.classList.contains('folded')) return [Math.min(box.dataset.width, title), 26];
    const placed = inner.map((part) => place(parts(part, '.layout')[0]));
    const body = Math.max(...placed.map(([, high]) => high)) + 28;
    const needed = placed.reduce((sum, [wide]) => sum + wide + 30, 10);
    const width = Math.min(box.dataset.width, Math.max(needed, title));
    let x = 10;
    inner.forEach((part, i) => {
      const wide = placed[i][0] + 20 + (width - needed) / inner.length;
      const rect = parts(part, 'rect')[0];
      rect.setAttribute('height', body);
      rect.setAttribute('width', wide);
      part.setAttribute('transform', `translate(${x} 26)`);
      parts(part, '.layout')[0].setAttribute('transform', `translate(${(wide - placed[i][0]) / 2} 18)`);
      x += wide + 10;
    });
    return [width, body + 46];
  };
  // Components stand on shelves, and there in columns.
  const place = (layout) => {
    let [top, high, filled, shelf, column, x, right, width] = [0, 0, 0, '0', '0', 0, 0, 0];
    for (const component of parts(layout, '.component')) {
      const at = component.dataset;
      if (at.shelf !== shelf) [top, high, x, right, filled] = [top + high + 42, 0, 0, 0, 0];
      else if (at.column !== column) [x, filled] = [right + 52, 0];
      [shelf, column] = [at.shelf, at.column];
      component.setAttribute('transform', `translate(${x} ${top + filled})`);
      const [wide, tall] = placeComponent(component);
      filled += tall + 42;
      high = Math.max(high, filled - 42);
      right = Math.max(right, x + wide);
      width = Math.max(width, right);
    }
    return [Math.max(width, 44), top + high];
  };
  // What is between intervals, from one end to the other.
  const gaps = (intervals, end) => {
    const found = [];
    let last = 0;
    for (const [left, right] of [...intervals].sort((a, b) => a[0] - b[0])) {
      if (left > last) found.push([last, left]);
      last = Math.max(last, right);
    }
    if (end > last) found.push([last, end]);
    return found;
  };
  // Where an x goes when strips that folding left empty are taken out.
  const squeezed = (before, after, end) => {
    const empty = gaps(before, end);
    const cuts = gaps(after, end).map(([left, right]) => {
      const was = empty.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, right) - Math.max(a, left)), 0);
      const edge = left <= 0 || right >= end;
      return [right, right - left - Math.max(was, edge ? 0 : Math.min(26, right - left))];
    });
    return (x) => cuts.reduce((sum, [right, cut]) => (right <= x + 0.01 ? sum - cut : sum), x);
  };
  const placeComponent = (component) => {
    const boxes = parts(component, '.box');
    const sizes = boxes.map(size);
    const middles = boxes.map(({ dataset }) => Number(dataset.x) + dataset.width / 2);
    const ways = parts(component, '.way').map((way) => [way,
      way.dataset.way.split(' ').map((point) => point.split(',').map(Number))]);
    const points = ways.flatMap(([, way]) => way.slice(1, -1).map(([, x]) => [x - 1, x + 1]));
    const taken = (widths) => [...points, ...boxes.map((box, i) => {
      const labels = [...parts(box, '.labels')[0].children].map((each) => each.textContent.length * 5.8);
      const wide = Math.max(widths[i], ...labels) / 2;
      return [middles[i] - wide, middles[i] + wide];
    })];
    const end = Number(component.dataset.width);
    const to = squeezed(
      taken(boxes.map((box) => box.dataset.width)), taken(sizes.map(([wide]) => wide)), end);
    const rows = [];
    boxes.forEach((box, i) => {
      rows[box.dataset.row] = Math.max(rows[box.dataset.row] || 0, sizes[i][1]);
    });
    const tops = [];
    let total = 0;
    for (let i = 0; i < rows.length; i += 1) {
      tops.push(total);
      total += (rows[i] || 0) + 42;
    }
    const ends = boxes.map((box, i) => {
      const { row } = box.dataset;
      const [width, height] = sizes[i];
      const y = tops[row] + (rows[row] - height) / 2;
      const rect = parts(box, 'rect')[0];
      box.setAttribute('transform', `translate(${to(middles[i]) - width / 2} ${y})`);
      rect.setAttribute('height', height);
      rect.setAttribute('width', width);
      parts(box, '.labels')[0].setAttribute('transform', `translate(${width / 2} ${height})`);
      return [y, y + height];
    });
    for (const [way, passed] of ways) {
      const [source, target] = way.dataset.ends.split(' ');
      const stops = passed.map(([row, x]) => [to(x), tops[row], tops[row] + (rows[row] || 0)]);
      let [x, , y] = stops[0];
      let path = `M${x} ${ends[source][1]}V${y}`;
      stops.at(-1)[2] = ends[target][0];
      for (const [toX, top, bottom] of stops.slice(1)) {
        const middle = (y + top) / 2;
        path += `C${x} ${middle} ${toX} ${middle} ${toX} ${top}V${bottom}`;
        [x, y] = [toX, bottom];
      }
      const [line, head] = way.children;
      line.setAttribute('d', path);
      head.setAttribute('transform', `translate(${x} ${y})`);
    }
    return [to(end), total - 42];
  };
  const fold = (boxes) => {
    for (const box of boxes) {
      const folded = box.classList.toggle('folded');
      titleOf(box).firstChild.textContent = folded ? '▸ ' : '▾ ';
    }
    for (const drawing of new Set(boxes.map((box) => box.closest('svg')))) {
      const [width, height] = place(parts(drawing, '.layout')[0]).map((each) => each + 28);
      drawing.setAttribute('width', width);
      drawing.setAttribute('height', height);
      drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
      if (drawing.dataset.scale) scale(drawing, drawing.dataset.scale);
    }
  };
  const still = (part, change) => {
    const pane = part.closest('.ag-drawing');
    const before = part.getBoundingClientRect();
    change();
    const after = part.getBoundingClientRect();
    pane.scrollLeft += after.left - before.left;
    pane.scrollTop += after.top - before.top;
  };
  for (const drawing of report.querySelectorAll('.ag-picture')) {
    for (const title of drawing.querySelectorAll('.title')) {
      title.prepend(document.createElementNS(drawing.namespaceURI, 'tspan'));
      title.firstChild.textContent = '▾ ';
      title.setAttribute('tabindex', 0);
      title.setAttribute('role', 'button');
    }
    const count = drawing.querySelectorAll('.box').length;
    if (count > 120) fold([...drawing.querySelectorAll('.control .control')]);
    if (count > 360) fold([...drawing.querySelectorAll('.component:not(.box .component) > .control')]);
  }
  // Their size: to begin with they fit, if they can still be read; dragging moves them.
  const fitting = (drawing) => Math.min(1,
    (drawing.parentElement.clientWidth - 24) / drawing.getAttribute('width'));
  const scale = (drawing, factor) => {
    const pane = drawing.parentElement;
    const middle = (pane.scrollLeft + pane.clientWidth / 2) / pane.scrollWidth;
    const top = pane.scrollTop / pane.scrollHeight;
    drawing.dataset.scale = Math.min(4, Math.max(0.05, factor));
    drawing.style.width = `${drawing.getAttribute('width') * drawing.dataset.scale}px`;
    pane.scrollLeft = middle * pane.scrollWidth - pane.clientWidth / 2;
    pane.scrollTop = top * pane.scrollHeight;
  };
  const fitNew = () => {
    for (const drawing of report.querySelectorAll('.ag-picture:not([data-scale])')) {
      const pane = drawing.parentElement;
      if (!pane.clientWidth) continue;
      scale(drawing, Math.max(0.7, fitting(drawing)));
      pane.scrollLeft = 0; // where the inputs are
    }
  };
  fitNew();
  report.addEventListener('shown', fitNew);
  report.addEventListener('click', (event) => {
    const title = event.target.closest('.ag-picture .title');
    const zoom = event.target.closest('button[data-zoom]');
    if (title && !event.target.closest('.dragged')) {
      still(title, () => fold([title.parentElement]));
    } else if (zoom) {
      const drawing = zoom.closest('section').querySelector('svg');
      const factor = Number(zoom.dataset.zoom);
      scale(drawing, factor ? drawing.dataset.scale * factor : fitting(drawing));
    }
  });
  report.addEventListener('keydown', (event) => {
    const title = event.target;
    if (!title.matches('.title') || ![' ', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    still(title, () => fold([title.parentElement]));
  });
  for (const pane of report.querySelectorAll('.ag-drawing')) {
    pane.addEventListener('pointerdown', (down) => {
      const { left: edge, top: upper } = pane.getBoundingClientRect();
      const onBars = down.clientX - edge > pane.clientWidth || down.clientY - upper > pane.clientHeight;
      if (down.button || onBars) return;
      const [left, top] = [pane.scrollLeft + down.clientX, pane.scrollTop + down.clientY];
      const move = (event) => {
        const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 4;
        if (far) pane.classList.add('dragged');
        if (!pane.classList.contains('dragged')) return;
        pane.scrollTo(left - event.clientX, top - event.clientY);
      };
      const stop = () => {
        removeEventListener('pointermove', move);
        // The click that ends a drag comes after this.
        requestAnimationFrame(() => pane.classList.remove('dragged'));
      };
      addEventListener('pointermove', move);
      addEventListener('pointerup', stop, { once: true });
      addEventListener('pointercancel', stop, { once: true });
    });
  }
}
