for (const report of document.querySelectorAll('.ag-report:not([data-ready])')) {
  report.dataset.ready = '';
  for (const live of report.querySelectorAll('script[type="text/html"]')) {
    live.outerHTML = live.textContent;
  }
  for (const image of report.querySelectorAll('.ag-drawing img')) {
    const bytes = Uint8Array.from(atob(image.src.split(',')[1]), (each) => each.charCodeAt(0));
    const pane = image.parentElement;
    pane.innerHTML = new TextDecoder().decode(bytes);
    pane.querySelector('style').remove();
  }
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
  // What is folded away is to be seen as the outermost folded box around it.
  const seenOf = (parts) => new Set([...parts].map((each) => {
    let shown = each;
    for (let box = each; box; box = box.parentElement.closest('.folded')) shown = box;
    return shown;
  }));
  const set = (name, parts) => {
    for (const each of all) each.classList.toggle(name, parts.has(each));
    if (name === 'lit') tell(parts);
  };
  // Beside the heading of a pane stands how much is lit above and below what is to be seen of it.
  const tell = (parts) => {
    for (const pane of report.querySelectorAll('.ag-scroll')) {
      const seen = pane.getBoundingClientRect();
      let [above, below] = [0, 0];
      for (const each of seenOf(parts)) {
        if (!pane.contains(each) || !each.getClientRects().length) continue;
        const { top, bottom } = each.getBoundingClientRect();
        above += bottom <= seen.top;
        below += top >= seen.bottom;
      }
      pane.previousElementSibling.dataset.more = [above ? `↑ ${above}` : '', below ? `↓ ${below}` : '']
        .join(' ').trim();
    }
  };
  const reveal = (from, parts) => {
    const seen = new Set([from.closest('.ag-scroll')]);
    for (const each of seenOf(parts)) {
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
  const lit = () => new Set(all.filter((each) => each.classList.contains('lit')));
  report.addEventListener('scroll', () => tell(lit()), true);
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
    if (event.target.closest('.ag-picture .title')) return;
    pin(part(event));
  });
  const pin = (over) => {
    pinned = over === pinned ? null : over;
    const parts = pinned ? related(pinned) : new Set();
    set('pinned', parts);
    set('lit', parts);
    if (pinned) reveal(pinned, parts);
    tell(parts);
  };
  // Keys, in a pane that has the focus: up and down go from line to line.
  const lines = (pane) => [...pane.querySelectorAll('pre > [data-at]')]
    .filter((each) => each.offsetParent !== null);
  report.addEventListener('keydown', (event) => {
    const pane = event.target;
    if (!pane.matches('.ag-scroll')) return;
    const all = lines(pane);
    const at = all.findIndex((each) => each.classList.contains('current'));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
      for (const each of report.querySelectorAll('.current')) each.classList.remove('current');
      next.classList.add('current');
      next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      set('lit', related(next));
      reveal(next, related(next));
    } else if (event.key === 'Enter' && at >= 0) {
      pin(all[at]);
    } else if (event.key === 'Escape') {
      pin(pinned);
    } else {
      return;
    }
    event.preventDefault();
  });
  report.addEventListener('focusout', () => {
    for (const each of report.querySelectorAll('.current')) each.classList.remove('current');
    set('lit', pinned ? related(pinned) : new Set());
  });
  const press = (button) => {
    const { view, trace, zoom } = button.dataset;
    if (zoom) return;
    if (view) {
      const on = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', on);
      for (const pane of report.querySelectorAll(`section[data-view="${view}"]`)) pane.hidden = !on;
      report.dispatchEvent(new Event('shown'));
    } else if (trace) {
      for (const other of report.querySelectorAll('button[data-trace]')) {
        other.setAttribute('aria-pressed', other === button);
      }
      for (const each of report.querySelectorAll('.ag-trace')) {
        each.hidden = each.dataset.trace !== trace;
      }
      report.dispatchEvent(new Event('shown'));
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
