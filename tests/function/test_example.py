"""The guide in `examples/functions.py` runs, and prints what it says."""
import pathlib
import runpy

EXAMPLE = pathlib.Path(__file__).parents[2] / 'examples' / 'functions.py'


def test_the_guide(capsys):
    runpy.run_path(str(EXAMPLE))
    out = capsys.readouterr().out
    assert out.count('tracing for') == 3
    assert '1 2 fizz 4 buzz fizz 7 8 fizz buzz 11 fizz 13 14 fizzbuzz \n1 2 fizz 4 buzz \n' in out
    assert '\n1 2 3\n' in out
    assert 'RATE has changed' in out
    assert out.endswith('[np.float64(1.0), np.float64(2.0)]\n')
