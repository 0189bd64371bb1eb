for (const report of document.querySelectorAll('.ag-report:not([data-ready])')) {
  report.dataset.ready = '';
  const all = [...report.querySelectorAll('[data-at]')];
  const at = new Map();
  for (const part of all) {
    for (const key of part.dataset.at.split(' ')) {
      if (!at.has(key)) at.set(key, []);
      at.get(key).push(part);
    }
  }
  const part = (event) => event.target.closest && event.target.closest('[data-at]');
  const related = (from) => new Set(from.dataset.at.split(' ').flatMap((key) => at.get(key)));
  const set = (name, parts) => {
    for (const each of all) each.classList.toggle(name, parts.has(each));
  };
  const reveal = (from, parts) => {
    const seen = new Set([from.closest('.ag-scroll')]);
    for (const each of parts) {
      const pane = each.closest('.ag-scroll');
      if (seen.has(pane) || pane.offsetParent === null) continue;
      seen.add(pane);
      const inner = each.getBoundingClientRect();
      const outer = pane.getBoundingClientRect();
      if (inner.height > outer.height) {
        pane.scrollTop += inner.top - outer.top - 8;
      } else if (inner.top < outer.top || inner.bottom > outer.bottom) {
        pane.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
      }
      if (inner.left > outer.right || inner.right < outer.left) {
        pane.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
      }
    }
  };
  let pinned = null;
  report.addEventListener('mouseover', (event) => {
    const over = part(event);
    set('lit', over ? related(over) : pinned ? related(pinned) : new Set());
  });
  report.addEventListener('mouseleave', () => set('lit', pinned ? related(pinned) : new Set()));
  report.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button) return press(button);
    if (event.target.closest('.dragged')) return;
    const title = event.target.closest('.ag-picture .title');
    if (title) return fold([title.parentElement]);
    const over = part(event);
    pinned = over === pinned ? null : over;
    const parts = pinned ? related(pinned) : new Set();
    set('pinned', parts);
    set('lit', parts);
    if (pinned) reveal(pinned, parts);
  });
  const press = (button) => {
    const { view, trace, zoom } = button.dataset;
    if (view) {
      const on = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', on);
      for (const pane of report.querySelectorAll(`section[data-view="${view}"]`)) pane.hidden = !on;
      fitNew();
    } else if (zoom) {
      const drawing = button.closest('section').querySelector('svg');
      scale(drawing, Number(zoom) ? drawing.dataset.scale * zoom : fitting(drawing));
    } else if (trace) {
      for (const other of report.querySelectorAll('button[data-trace]')) {
        other.setAttribute('aria-pressed', other === button);
      }
      for (const each of report.querySelectorAll('.ag-trace')) {
        each.hidden = each.dataset.trace !== trace;
      }
      fitNew();
    } else {
      const dark = getComputedStyle(report).colorScheme === 'dark'
        || (getComputedStyle(report).colorScheme === 'light dark'
          && matchMedia('(prefers-color-scheme: dark)').matches);
      report.style.colorScheme = dark ? 'light' : 'dark';
      const body = report.parentElement;
      if (body.classList.contains('ag-page')) body.style.colorScheme = report.style.colorScheme;
    }
  };

  // Pictures: the bodies of control flow fold, and what is below them moves up.
  const parts = (from, selector) => [...from.children].filter((each) => each.matches(selector));
  const heightOf = (box) => {
    if (box.classList.contains('folded')) return 26;
    const inner = parts(box, '.part');
    if (!inner.length) return Number(box.dataset.height);
    const body = Math.max(...inner.map((each) => place(parts(each, '.layout')[0]))) + 28;
    for (const each of inner) parts(each, 'rect')[0].setAttribute('height', body);
    return body + 46;
  };
  const place = (layout) => {
    const boxes = parts(layout, '.box');
    const heights = new Map(boxes.map((box) => [box, heightOf(box)]));
    const rows = [];
    for (const [box, height] of heights) {
      rows[box.dataset.row] = Math.max(rows[box.dataset.row] || 0, height);
    }
    const tops = [];
    let total = 0;
    for (let i = 0; i < rows.length; i += 1) {
      tops.push(total);
      total += (rows[i] || 0) + 42;
    }
    const ends = boxes.map((box) => {
      const { row, x } = box.dataset;
      const height = heights.get(box);
      const y = tops[row] + (rows[row] - height) / 2;
      const rect = parts(box, 'rect')[0];
      const middle = Number(rect.getAttribute('width')) / 2;
      box.setAttribute('transform', `translate(${x} ${y})`);
      rect.setAttribute('height', height);
      parts(box, '.labels')[0].setAttribute('transform', `translate(${middle} ${height})`);
      return [y, y + height];
    });
    for (const way of parts(layout, '.way')) {
      const [source, target] = way.dataset.ends.split(' ');
      const points = way.dataset.way.split(' ').map((point) => point.split(',').map(Number))
        .map(([row, x]) => [x, tops[row], tops[row] + rows[row]]);
      points[points.length - 1] = [points.at(-1)[0], ends[target][0], ends[target][0]];
      let [x, y] = [points[0][0], ends[source][1]];
      let path = `M${x} ${y}`;
      for (const [toX, top, bottom] of points.slice(1)) {
        const middle = (y + top) / 2;
        path += `C${x} ${middle} ${toX} ${middle} ${toX} ${top}`;
        if (bottom > top) path += `V${bottom}`;
        [x, y] = [toX, bottom];
      }
      const [line, head] = way.children;
      line.setAttribute('d', path);
      head.setAttribute('transform', `translate(${x} ${y})`);
    }
    return Math.max(total - 42, 0);
  };
  const fold = (boxes) => {
    for (const box of boxes) box.classList.toggle('folded');
    for (const drawing of new Set(boxes.map((box) => box.closest('svg')))) {
      const height = place(parts(drawing, '.layout')[0]) + 28;
      drawing.setAttribute('height', height);
      drawing.setAttribute('viewBox', `0 0 ${drawing.getAttribute('width')} ${height}`);
    }
  };
  for (const drawing of report.querySelectorAll('.ag-picture')) {
    const count = drawing.querySelectorAll('.box').length;
    if (count > 120) fold([...drawing.querySelectorAll('.control .control')]);
    if (count > 360) fold([...drawing.querySelectorAll('.layout:not(.box .layout) > .control')]);
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
      pane.scrollLeft = (pane.scrollWidth - pane.clientWidth) / 2;
    }
  };
  fitNew();
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
