"""The text of a function is found wherever Python keeps it."""
import contextlib
import doctest
import functools
import importlib
import linecache
import os
import pty
import subprocess
import sys
import textwrap
import zipfile

import pytest

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.source import find_source
from autograph_lite.pyct.unparser import unparse


def printed(f):
    parsed = parse_function(f)
    return unparse(parsed.node, parsed.source).text


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module and imports it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    names = []

    def write(content, name='module_of_a_test'):
        data = content if isinstance(content, bytes) else textwrap.dedent(content).encode()
        (tmp_path / f'{name}.py').write_bytes(data)
        importlib.invalidate_caches()
        names.append(name)
        return importlib.import_module(name)

    yield write
    for name in names:
        sys.modules.pop(name, None)


def this_very_function(x):
    # with a comment
    return x + 1


def test_in_a_file():
    assert printed(this_very_function) == (
        'def this_very_function(x):\n    # with a comment\n    return x + 1')
    assert find_source(this_very_function).filename == __file__


def test_positions_are_those_of_the_file():
    node = parse_function(this_very_function).node
    line = this_very_function.__code__.co_firstlineno
    assert (node.lineno, node.col_offset, node.end_lineno) == (line, 0, line + 2)
    returned = node.body[0]
    assert (returned.lineno, returned.col_offset, returned.end_col_offset) == (line + 2, 4, 16)


def test_one_source_for_all_functions_of_a_file_and_a_copy_of_the_tree_for_everyone():
    one, other = parse_function(this_very_function), parse_function(this_very_function)
    assert one.source is other.source is find_source(printed)
    assert one.node is not other.node
    one.node.body.clear()
    assert printed(this_very_function).endswith('return x + 1')


def test_line_ends_of_windows(module):
    f = module(b'x = 1\r\n\r\ndef f(x):\r\n    # comment\r\n    return """a\r\nb"""\r\n').f
    assert printed(f) == 'def f(x):\n    # comment\n    return """a\nb"""'


def test_tabs_and_form_feeds(module):
    f = module('x = 1\n\f\ndef f(x):\n\tif x:\n\t\t# comment\n\t\treturn [x,\n\t\t\t  # inner\n'
               '\t\t\t  1]\n\t# end\n').f
    assert printed(f) == (
        'def f(x):\n    if x:\n        # comment\n        return [x,\n        \t  # inner\n'
        '        \t  1]\n    # end')


def test_another_encoding(module):
    f = module('# -*- coding: latin-1 -*-\ndef f(größe):\n    return "ü", größe  # größer\n'
               .encode('latin-1')).f
    assert printed(f) == 'def f(größe):\n    return "ü", größe  # größer'


def test_a_module_in_a_zip_file(tmp_path, monkeypatch):
    path = tmp_path / 'library.zip'
    with zipfile.ZipFile(path, 'w') as archive:
        archive.writestr('zipped_module.py', 'def f(x):\n    return x  # zipped\n')
    monkeypatch.syspath_prepend(str(path))
    f = importlib.import_module('zipped_module').f
    sys.modules.pop('zipped_module')
    assert printed(f) == 'def f(x):\n    return x  # zipped'


def test_text_given_to_exec_and_registered(define):
    assert printed(define('def f(x): return x').f) == 'def f(x):\n    return x'


@pytest.mark.parametrize('filename', ['<lazy text>', 'lazy text'])
def test_text_registered_lazily(filename):
    text = 'def f(x):\n    return x  # lazy\n'
    names = {}
    exec(compile(text, filename, 'exec'), names)
    linecache.cache[filename] = (lambda: text,)
    try:
        assert printed(names['f']) == text.rstrip()
    finally:
        linecache.cache.pop(filename)


def test_examples_of_doctest():
    def documented():
        """
        >>> def f(x):
        ...     return x  # in an example
        >>> print(printed(f))
        def f(x):
            return x  # in an example
        """

    test = doctest.DocTestFinder().find(documented, 'documented', globs=globals())[0]
    assert doctest.DocTestRunner().run(test) == (0, 1 + 1)


def test_cells_of_ipython():
    shell = pytest.importorskip('IPython.core.interactiveshell').InteractiveShell()
    shell.run_cell('def f(x):\n    # first cell\n    return x')
    first = shell.user_ns['f']
    shell.run_cell('%time\n!true\ndef f(x):\n    # second cell\n    return x')
    assert printed(first) == 'def f(x):\n    # first cell\n    return x'
    assert printed(shell.user_ns['f']) == 'def f(x):\n    # second cell\n    return x'


@pytest.mark.skipif(sys.version_info < (3, 13), reason='earlier interpreters keep no text')
@pytest.mark.parametrize('basic', ['', '1'], ids=['new', 'basic'])
def test_the_interactive_interpreter(basic, tmp_path):
    answer = tmp_path / 'answer'
    typed = textwrap.dedent(f'''
        from autograph_lite.pyct.parser import parse_function
        def f(x): return x  # typed

        open({str(answer)!r}, 'w').write(parse_function(f).source.text)
        exit()
        ''').lstrip().replace('\n', '\r')
    environment = {
        **os.environ, 'PYTHON_BASIC_REPL': basic, 'PYTHON_HISTORY': os.devnull, 'TERM': 'xterm',
        'PYTHONPATH': os.pathsep.join(sys.path)}
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, '-i', '-q'], stdin=terminal, stdout=terminal, stderr=terminal,
        env=environment, start_new_session=True,
    ):
        os.close(terminal)
        os.write(controller, typed.encode())
        with contextlib.suppress(OSError):  # that is how a terminal ends
            while os.read(controller, 4096):
                pass
    os.close(controller)
    assert answer.read_text().strip() == 'def f(x): return x  # typed'


def test_what_the_interactive_interpreter_registers_is_found():
    text = 'def f(x):\n    return x  # typed\n'
    names = {}
    exec(compile(text, '<python-input-7>', 'exec'), names)
    linecache.cache['<python-input-7>'] = len(text), None, text.splitlines(True), '<stdin>'
    try:
        assert printed(names['f']) == text.rstrip()
    finally:
        linecache.cache.pop('<python-input-7>')


def decorator(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


@decorator
# between
@decorator
def decorated(x):
    return x


def test_a_decorated_function():
    assert printed(decorated) == (
        '@decorator\n# between\n@decorator\ndef decorated(x):\n    return x')


class Model:
    def method(self, x):
        return x * self.__scale

    @staticmethod
    def static(x):
        return x

    @classmethod
    def of_class(cls, x):
        def nested(__x):
            return __x

        return nested

    @property
    def size(self): return 1


def test_methods_and_nested_functions():
    assert printed(Model().method) == 'def method(self, x):\n    return x * self.__scale'
    assert printed(Model.static).startswith('@staticmethod\ndef static(x):')
    assert printed(Model.of_class).startswith('@classmethod\ndef of_class(cls, x):')
    assert printed(Model.of_class(1)) == 'def nested(__x):\n    return __x'
    assert printed(Model.size.fget) == '@property\ndef size(self):\n    return 1'
    for f in Model().method, Model.static, Model.of_class, Model.of_class(1):
        assert parse_function(f).enclosing_class == 'Model'
    assert parse_function(decorated).enclosing_class is None


def test_a_file_that_changed_since_it_was_imported(module, tmp_path):
    f = module('def f(x):\n    return x\n\n\ndef g(y):\n    return y\n').f
    (tmp_path / 'module_of_a_test.py').write_text('# new\n\ndef f(x):\n    return x\n')
    with pytest.raises(SourceNotFoundError, match=r'f \(file .*line 1\).* changed since'):
        parse_function(f)


@pytest.mark.parametrize('text', [
    'def g(x):\n    return x\n',
    'def f(x, y):\n    return x\n',
    'def f(*x):\n    return x\n',
    'def f(x): pass\n',
    'def f(x:\n',
    'f = lambda x: 0\n',
    '',
])
def test_what_stands_there_now_is_not_the_function(module, tmp_path, text):
    f = module('def f(x):\n    return x\n').f
    (tmp_path / 'module_of_a_test.py').write_text(text)
    with pytest.raises(SourceNotFoundError, match=r'\bf \(file'):
        parse_function(f)


def test_a_file_that_was_edited_and_imported_anew(module, tmp_path):
    old = module('def f(x):\n    return x\n')
    assert printed(old.f).endswith('return x')
    (tmp_path / 'module_of_a_test.py').write_text('def f(x):\n    return x + 100\n')
    assert printed(importlib.reload(old).f).endswith('return x + 100')


def test_no_text():
    names = {}
    exec('def f(x): return x', names)
    with pytest.raises(SourceNotFoundError, match=r'f \(file "<string>", line 1\)'):
        find_source(names['f'])
    assert isinstance(SourceNotFoundError(), OSError)


@pytest.mark.parametrize('thing', [len, Model, 3, functools.partial(len)])
def test_things_without_source(thing):
    with pytest.raises(SourceNotFoundError, match='is not a function written in Python'):
        find_source(thing)
