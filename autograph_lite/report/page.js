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
      if (inner.top < outer.top || inner.bottom > outer.bottom) {
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
    const over = part(event);
    pinned = over === pinned ? null : over;
    const parts = pinned ? related(pinned) : new Set();
    set('pinned', parts);
    set('lit', parts);
    if (pinned) reveal(pinned, parts);
  });
  const press = (button) => {
    const { view, trace } = button.dataset;
    if (view) {
      const on = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', on);
      for (const pane of report.querySelectorAll(`section[data-view="${view}"]`)) pane.hidden = !on;
    } else if (trace) {
      for (const other of report.querySelectorAll('button[data-trace]')) {
        other.setAttribute('aria-pressed', other === button);
      }
      for (const each of report.querySelectorAll('.ag-trace')) {
        each.hidden = each.dataset.trace !== trace;
      }
    } else {
      const dark = getComputedStyle(report).colorScheme === 'dark'
        || (getComputedStyle(report).colorScheme === 'light dark'
          && matchMedia('(prefers-color-scheme: dark)').matches);
      report.style.colorScheme = dark ? 'light' : 'dark';
      const body = report.parentElement;
      if (body.classList.contains('ag-page')) body.style.colorScheme = report.style.colorScheme;
    }
  };
}
