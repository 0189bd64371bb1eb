"""Reports in a real browser: what hovering and clicking do, light and dark, and that nothing fails.

Needs Chromium and its driver, and Selenium. Where `BROWSER_TESTS=required` they must be there.
"""
from __future__ import annotations

import json
import os
import re
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

import autograph_lite as ag

REQUIRED = os.environ.get('BROWSER_TESTS') == 'required'
CHROMIUM = shutil.which('chromium') or shutil.which('google-chrome')
DRIVER = shutil.which('chromedriver')
if REQUIRED:
    from selenium import webdriver
else:
    webdriver = pytest.importorskip('selenium.webdriver', reason='Selenium is not installed')
pytestmark = pytest.mark.skipif(
    not REQUIRED and not (CHROMIUM and DRIVER), reason='Chromium or its driver is not installed'
)

# Nothing that a browser does besides showing the page.
ARGUMENTS = (
    *('--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'),
    *('--disable-background-networking', '--disable-component-update', '--disable-sync'),
    *('--disable-dev-shm-usage', '--window-size=1400,1600'),
)
# What JupyterLab has for what notebooks display.
JUPYTER = """
    .jp-RenderedHTMLCommon pre, .jp-RenderedHTMLCommon code { background: black; font-size: 30px;
      margin: 9px; padding: 0; color: red; }
    .jp-RenderedHTMLCommon :not(pre) > code { background: black; padding: 1px 9px; }
    .jp-RenderedHTMLCommon h2, .jp-RenderedHTMLCommon h3 { font-size: 30px; margin: 40px; }
"""
NOTEBOOKS = sorted((Path(__file__).parent.parent.parent / 'examples').glob('*.ipynb'))
PATIENCE = 60  # seconds, for what takes a moment on a busy machine


@ag.function
def halve(x, limit):
    scale = 0.25 + 0.25
    total = np.sum(x)
    while total > limit:
        x = scale * x
        total = np.sum(x)
    return x


def half(y):
    return y / 2


@ag.function
def other(y):
    return np.tanh(y) + half(y)


@pytest.fixture(scope='module')
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.add_argument(f'--user-data-dir={tmp_path_factory.mktemp("browser")}')
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=DRIVER)
    )
    yield driver
    driver.quit()


@pytest.fixture(scope='module')
def page(tmp_path_factory):
    """Two reports on one page, as in a notebook, beside markup of somebody else's."""
    halve(np.ones(3), np.float64(1.0))
    halve(np.ones(4), np.float64(1.0))
    other(np.ones(2))
    path = tmp_path_factory.mktemp('page') / 'page.html'
    mine = '<p id="mine" class="lit keyword"><button>mine</button></p>'
    path.write_text(
        '<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head>'
        f'<body>{mine}<style>{JUPYTER}</style><div class="jp-RenderedHTMLCommon">'
        f'{halve._repr_html_()}{other._repr_html_()}</div></body></html>',
        encoding='utf-8',
    )
    return path.as_uri()


@pytest.fixture
def opened(browser, page):
    browser.get_log('performance')
    browser.get(page)
    return browser


def line(browser, pane, text, report=0):
    """The line of a pane that holds a text."""
    script = """
        const report = document.querySelectorAll('.ag-report')[arguments[2]];
        return [...report.querySelectorAll(`section[data-view=${arguments[0]}] pre > span`)]
          .find(line => line.textContent.includes(arguments[1]) && line.offsetParent);
        """
    return browser.execute_script(script, pane, text, report)


def lit(browser, pane, name='lit'):
    """The texts that are lit in what is shown of a pane."""
    script = """
        return [...document.querySelectorAll(`.ag-report section[data-view=${arguments[0]}] .`
            + arguments[1])]
          .filter(part => part.getClientRects().length).map(part => part.textContent.trim());
        """
    return browser.execute_script(script, pane, name)


def hover(browser, element):
    webdriver.ActionChains(browser).move_to_element_with_offset(element, -150, 0).perform()


def becomes(wanted, ask, *args):
    """Asks until the answer is the wanted one: the page may need a moment."""
    end = time.monotonic() + PATIENCE
    while (found := ask(*args)) != wanted and time.monotonic() < end:
        pass
    assert found == wanted


def colour(browser, selector, what='backgroundColor'):
    script = 'return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]'
    return browser.execute_script(script, selector, what)


def test_hovering_a_line_lights_what_it_became(opened):
    hover(opened, line(opened, 'source', 'x = scale * x'))
    becomes(['x = scale * x'], lit, opened, 'converted')
    assert lit(opened, 'source') == ['x = scale * x  # x: float64[4]']
    assert lit(opened, 'graph') == ['x_3: float64[4] = multiply(0.5, x_2)']
    assert [text.endswith('* x') for text in lit(opened, 'program')] == [True]
    assert ['multiply(0.5, x)' in text for text in lit(opened, 'picture')] == [True]


def test_and_back(opened):
    hover(opened, line(opened, 'graph', 'multiply(0.5'))
    becomes(['scale = 0.25 + 0.25', 'x = scale * x'], lit, opened, 'converted')
    assert [text.split('  #')[0] for text in lit(opened, 'source')] == [
        'scale = 0.25 + 0.25', 'x = scale * x']


def test_light_goes_when_the_mouse_does(opened):
    hover(opened, line(opened, 'source', 'x = scale * x'))
    becomes(['x = scale * x'], lit, opened, 'converted')
    element = opened.find_element('id', 'mine')
    webdriver.ActionChains(opened).move_to_element(element).perform()
    becomes([], lit, opened, 'converted')


def test_a_click_pins_and_another_frees(opened):
    element = line(opened, 'source', 'x = scale * x')
    element.click()
    opened.execute_script('window.scrollTo(0, 0)')
    hover(opened, line(opened, 'source', 'total = np.sum'))
    becomes(['x = scale * x'], lit, opened, 'converted', 'pinned')
    element.click()
    becomes([], lit, opened, 'converted', 'pinned')


def test_panes_hide_and_come_back(opened):
    button = opened.find_element('css selector', '.ag-report button[data-view=converted]')
    for shown in (False, True):
        button.click()
        pane = opened.find_element('css selector', '.ag-report section[data-view=converted]')
        becomes(shown, pane.is_displayed)
        assert button.get_attribute('aria-pressed') == str(shown).lower()


def test_traces_are_chosen(opened):
    assert 'float64[4]' in opened.find_element('css selector', '.ag-trace:not([hidden])').text
    opened.find_element('css selector', '.ag-report button[data-trace="0"]').click()
    first = opened.find_element('css selector', '.ag-trace[data-trace="0"]')
    becomes(True, first.is_displayed)
    assert 'float64[3]' in first.text
    shown = opened.find_elements('css selector', '.ag-report .ag-trace:not([hidden])')
    assert len(shown) == 2  # one of each report


def test_reports_do_not_disturb_each_other_nor_the_page(opened):
    hover(opened, line(opened, 'source', 'np.tanh', report=1))
    becomes(['return np.tanh(y) + ag.call(half, y)'], lit, opened, 'converted')
    assert colour(opened, '#mine') == 'rgba(0, 0, 0, 0)'
    assert colour(opened, '#mine', 'color') == 'rgb(0, 0, 0)'
    assert opened.find_element('id', 'mine').get_attribute('class') == 'lit keyword'


def test_the_notebooks_styles_do_not_reach_it(opened):
    for selector, what, wanted in (
        ('.ag-report pre', 'backgroundColor', 'rgba(0, 0, 0, 0)'),
        ('.ag-report pre', 'fontSize', '12px'),
        ('.ag-report pre', 'margin', '0px'),
        ('.ag-report pre', 'padding', '8px 0px'),
        ('.ag-report .ag-traces code', 'backgroundColor', 'rgba(0, 0, 0, 0)'),
        ('.ag-report .ag-traces code', 'fontSize', '12px'),
        ('.ag-report h2', 'fontSize', '16px'),
        ('.ag-report h3', 'margin', '0px'),
    ):
        assert colour(opened, selector, what) == wanted, (selector, what)
    assert colour(opened, '.ag-report pre', 'color') != 'rgb(255, 0, 0)'


def test_dark_follows_the_system_the_notebook_and_the_button(opened):
    def prefer(value):
        media = {'features': [{'name': 'prefers-color-scheme', 'value': value}]}
        opened.execute_cdp_cmd('Emulation.setEmulatedMedia', media)

    pane = '.ag-report section'
    light, dark = 'rgb(255, 255, 255)', 'rgb(26, 32, 41)'
    prefer('light')
    becomes(light, colour, opened, pane)
    prefer('dark')
    becomes(dark, colour, opened, pane)
    opened.execute_script("document.body.dataset.jpThemeLight = 'true'")
    becomes(light, colour, opened, pane)
    prefer('light')
    opened.execute_script("document.body.dataset.jpThemeLight = 'false'")
    becomes(dark, colour, opened, pane)
    opened.find_element('css selector', '.ag-report button[data-theme]').click()
    becomes(light, colour, opened, pane)


def test_text_can_be_read_in_both(opened):
    """The contrast of every colour with its ground is at least 4.5 to 1, as WCAG asks."""
    script = """
        const luminance = (colour) => {
          const canvas = new OffscreenCanvas(1, 1).getContext('2d');
          canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
          const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => v / 255)
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = luminance(getComputedStyle(
          document.querySelector('.ag-report section')).backgroundColor);
        const parts = '.ag-report pre span[class]:not(.idle), .ag-report h3';
        return [...document.querySelectorAll(parts)]
          .map(part => {
            const ink = luminance(getComputedStyle(part).color);
            return [part.className,
              (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)];
          }).filter(([_, contrast]) => contrast < 4.5);
        """
    for theme in ('light', 'dark'):
        opened.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
        assert opened.execute_script(script) == []


def test_nothing_is_requested_and_nothing_fails(opened, page):
    test_a_click_pins_and_another_frees(opened)
    messages = [entry['message'] for entry in opened.get_log('performance')]
    asked = [message for message in messages if '"Network.requestWillBeSent"' in message]
    assert asked
    assert all(page in message or '"url":"data:' in message for message in asked)
    assert opened.get_log('browser') == []


def test_bodies_fold_and_unfold(opened):
    def drawn():
        script = """
            const svg = document.querySelector('.ag-trace:not([hidden]) svg');
            return [Number(svg.getAttribute('height')),
              [...svg.querySelectorAll('.way path, g')].map(each =>
                (each.getAttribute('d') || each.getAttribute('transform') || '')
                  .match(/-?[\\d.]+/g)).map(found => (found || []).map(Number))];
            """
        return opened.execute_script(script)

    before = drawn()
    title = opened.find_element(
        'css selector', '.ag-trace:not([hidden]) .control > .title > .name')
    part = opened.find_element('css selector', '.ag-trace:not([hidden]) .control > .part')
    title.click()
    becomes(False, part.is_displayed)
    assert drawn()[0] < before[0] - 100
    script = """
        const box = document.querySelector('.ag-trace:not([hidden]) .control');
        return [box.querySelector('rect').width.baseVal.value, Number(box.dataset.width)];
        """
    folded, unfolded = opened.execute_script(script)
    assert folded < unfolded / 2
    title.click()
    becomes(True, part.is_displayed)
    again = drawn()
    assert again[0] == pytest.approx(before[0], abs=1)
    assert [x for row in again[1] for x in row] == pytest.approx(
        [x for row in before[1] for x in row], abs=0.6)


def test_pictures_are_made_larger_and_fit(opened):
    drawing = opened.find_element('css selector', '.ag-trace:not([hidden]) svg')
    before = drawing.size['width']
    opened.find_element('css selector', '.ag-trace:not([hidden]) [data-zoom="1.25"]').click()
    becomes(round(before * 1.25), lambda: round(drawing.size['width']))
    opened.find_element('css selector', '.ag-trace:not([hidden]) [data-zoom="0"]').click()
    becomes(before, lambda: drawing.size['width'])


def test_a_long_signature_takes_one_line(browser, tmp_path):
    def total(*parts):
        return parts[0] + parts[-1]

    ag.inspect(total, *([np.ones(3)] * 70)).save(tmp_path / 'long.html')
    browser.get((tmp_path / 'long.html').as_uri())
    button = browser.find_element('css selector', '.ag-traces button')
    traces = browser.find_element('css selector', '.ag-traces')
    assert button.size['height'] < 40
    assert button.size['width'] <= traces.size['width']


def test_pictures_are_dragged(opened):
    pane = opened.find_element('css selector', '.ag-trace:not([hidden]) .ag-drawing')
    larger = opened.find_element('css selector', '.ag-trace:not([hidden]) [data-zoom="1.25"]')
    for _ in range(8):
        larger.click()

    def scrolled():
        return opened.execute_script('return arguments[0].scrollLeft', pane)

    before = scrolled()
    drag = webdriver.ActionChains(opened).click_and_hold(pane).move_by_offset(-60, 0)
    drag.release().perform()
    becomes(before + 60, scrolled)
    assert lit(opened, 'picture', 'pinned') == []


@pytest.mark.parametrize('notebook', NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_notebook_displays(browser, notebook, tmp_path):
    """Its cells' outputs on one page, as a notebook shows them."""
    cells = json.loads(notebook.read_text(encoding='utf-8'))['cells']
    outputs = [output.get('data', {}) for cell in cells for output in cell.get('outputs', ())]
    shown = [''.join(data.get('text/html') or data.get('image/svg+xml', '')) for data in outputs]
    head = '<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head>'
    (tmp_path / 'page.html').write_text(f'{head}<body>{"".join(shown)}</body>', encoding='utf-8')
    browser.get_log('browser')
    browser.get((tmp_path / 'page.html').as_uri())
    reports = browser.find_elements('css selector', '.ag-report')
    assert len(reports) == sum(html.startswith('<div class="ag-report"') for html in shown) > 0
    assert all(report.get_attribute('data-ready') == '' for report in reports)
    hover(browser, line(browser, 'source', 'def '))
    becomes(True, lambda: any('def ' in text for text in lit(browser, 'converted')))
    assert browser.get_log('browser') == []


def test_what_is_called_folds_away(opened):
    other_report = opened.find_elements('css selector', '.ag-report')[1]
    called = other_report.find_element('tag name', 'details')
    code = called.find_element('tag name', 'pre')
    becomes(True, code.is_displayed)
    called.find_element('tag name', 'summary').click()
    becomes(False, code.is_displayed)


def test_keyboard(opened):
    button = opened.find_element('css selector', '.ag-report button[data-view=graph]')
    button.send_keys(webdriver.Keys.ENTER)
    becomes('false', button.get_attribute, 'aria-pressed')


def drawn_without_overlap(browser):
    """Whether no two boxes of one layer of the picture that is shown overlap."""
    script = """
        const drawing = [...document.querySelectorAll('.ag-picture')]
          .find(each => each.getClientRects().length);
        const shown = [...drawing.querySelectorAll('.box')]
          .filter(box => box.firstElementChild.nextElementSibling.getClientRects().length);
        const rects = shown.map(box => [box.parentElement, box.querySelector('rect')
          .getBoundingClientRect()]);
        return rects.every(([component, a], i) => rects.slice(i + 1).every(([other, b]) =>
          component !== other || a.right <= b.left + 0.5 || b.right <= a.left + 0.5
          || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5));
        """
    return browser.execute_script(script)


def test_what_is_around_a_folded_body_moves_together(browser, tmp_path):
    """The page begins with some bodies folded, as there are many boxes."""
    def many(x, limit):
        for _ in tuple(range(6)):
            y = x
            while np.sum(y) > limit:
                parts = [np.tanh(y + i) for i in tuple(range(8))]
                y = np.stack(parts).sum(axis=0)
                if np.sum(y) < limit:
                    y = y + parts[0] * parts[1] + parts[2]
            x = x + y
        return x

    shown = ag.inspect(many, np.ones(3), np.float64(1.0))
    shown.save(tmp_path / 'page.html')
    browser.get((tmp_path / 'page.html').as_uri())
    before = int(re.search(r'width="(\d+)"', shown.picture())[1])
    drawing = browser.find_element('css selector', '.ag-picture')
    assert drawn_without_overlap(browser)
    folded = float(drawing.get_attribute('width'))
    assert folded < before
    press = "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    for title in browser.find_elements('css selector', '.ag-picture .folded > .title'):
        browser.execute_script(press, title)
        assert drawn_without_overlap(browser)
    assert float(drawing.get_attribute('width')) == pytest.approx(before, abs=1)


def test_keys_light_lines(opened):
    pane = opened.find_element('css selector', '.ag-report section[data-view=source] .ag-scroll')
    opened.execute_script('arguments[0].focus()', pane)
    keys = webdriver.Keys

    def press(*pressed):
        webdriver.ActionChains(opened).send_keys(*pressed).perform()

    press(*[keys.ARROW_DOWN] * 4)
    becomes(['total = np.sum(x)'], lit, opened, 'converted')
    press(keys.ARROW_UP, keys.ENTER)
    becomes(['scale = 0.25 + 0.25'], lit, opened, 'converted', 'pinned')
    press(keys.ESCAPE)
    becomes([], lit, opened, 'converted', 'pinned')


def test_what_is_lit_out_of_sight_is_told(browser, tmp_path):
    def many(x):
        y = x
        for _ in tuple(range(60)):
            y = np.tanh(y) + x
        return y

    ag.inspect(many, np.ones(3)).save(tmp_path / 'page.html')
    browser.get((tmp_path / 'page.html').as_uri())
    hover(browser, line(browser, 'source', 'return y'))
    head = browser.find_element('css selector', 'section[data-view=graph] h3')
    becomes('↓ 1', head.get_attribute, 'data-more')
    hover(browser, line(browser, 'source', 'def many'))
    becomes('', head.get_attribute, 'data-more')
    line(browser, 'source', 'return y').click()
    becomes('', head.get_attribute, 'data-more')
    scroll = "document.querySelector('section[data-view=graph] .ag-scroll').scrollTop = 0"
    browser.execute_script(scroll)
    becomes('↓ 1', head.get_attribute, 'data-more')


def test_what_is_lit_in_a_folded_body_is_seen_on_the_outermost_folded_box(browser, tmp_path):
    def nested(x):
        best = x[0, 0]
        for a in x:
            for b in x:
                for v in a * b:
                    while v > 1:
                        v = v / 2
                    if v > best:
                        best = v
        return best

    ag.inspect(nested, np.ones((4, 4))).save(tmp_path / 'page.html')
    browser.get((tmp_path / 'page.html').as_uri())
    press = "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    control = '.ag-picture .control:not(.folded) > .title'
    for title in reversed(browser.find_elements('css selector', control)):
        browser.execute_script(press, title)
    outer = '.ag-picture .component:not(.box .component) > .folded > rect'
    before = colour(browser, outer, 'stroke')
    hover(browser, line(browser, 'source', 'best = v'))
    becomes(True, lambda: colour(browser, outer, 'stroke') != before)
    hover(browser, line(browser, 'source', 'def nested'))
    becomes(before, colour, browser, outer, 'stroke')
