"""Functions of Python's library that are asked when the graph runs, and the texts of containers."""
from __future__ import annotations

import json
import statistics
from collections import ChainMap, Counter, deque

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(v),) for v in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])]


def gathered(xs):
    kept, whole, pairs, last, named, groups = [], [], [], deque(maxlen=2), {}, {}
    for x in xs:
        if x > 1:
            kept.append(x)
            named['large'] = x
        whole.append(int(x))
        pairs.append((int(x), float(x)))
        last.append(float(x))
        groups.setdefault(int(x), []).append(x)
    return kept, whole, pairs, last, named, groups


def statistics_of_floats(xs):
    kept, *_, last, _, groups = gathered(xs)
    return (
        statistics.mean(kept), statistics.median(last), statistics.stdev(kept),
        statistics.fmean(v for v in kept), statistics.quantiles(kept), statistics.mode(kept),
        {k: statistics.mean(v) for k, v in groups.items()}, statistics.mean([xs[0], xs[1]]))


def statistics_of_too_few(xs):
    return statistics.stdev([x for x in xs if x > 2])


def dumped(xs):
    kept, whole, pairs, _, named, groups = gathered(xs)
    return (
        json.dumps(kept), json.dumps(whole, indent=1), json.dumps(pairs), json.dumps(named),
        json.dumps({'a': groups}), json.dumps([float(xs[0])]))


def not_dumped(xs):
    return json.dumps([np.int64(1), xs[0]])


def shown(xs):
    kept, whole, pairs, last, named, groups = gathered(xs)
    return (
        str(kept), f'{pairs}', repr(last), f'{named!r:>40}', str(groups), str((whole, pairs)),
        str(groups.keys()), repr(named.values()), f'{groups.items()}', str(Counter(whole)))


def shown_in_others(xs):
    rows = []
    held = {'r': rows}
    for x in xs:
        rows.append(x)
    return (
        str(held), f'{held}', '%s' % (held,), str(held.values()), str([rows]), str((rows, 1)))  # noqa: UP031


def of_keys(xs):
    counts = Counter()
    for x in xs:
        counts[int(x)] += 1
    return (
        statistics.fmean(counts), statistics.mode(counts), statistics.fmean(counts.values()),
        json.dumps(counts))


def filled_in(xs):
    kept, whole, pairs, _, _, groups = gathered(xs)
    return '%s' % (kept,), '%s of %d' % (whole, len(whole)), '%s|%s' % (groups, pairs)  # noqa: UP031


def by_format(xs):
    x, n = xs[0], int(xs[1])
    template = '{0:.1f} {0:>{1}} {name[0]}'
    return (
        '{:>{}}|'.format(x, 8), '{:.{}f} {}'.format(x, n, n), '{0} {0}'.format(x),  # noqa: UP032
        template.format(x, n, name=[x]), template.format(1.0, 5, name='a'))


@pytest.mark.parametrize('f', [
    statistics_of_floats, statistics_of_too_few, dumped, not_dumped, shown, shown_in_others,
    of_keys, filled_in, by_format])
def test_asked_when_the_graph_runs(f):
    check(f, *CALLS)


def test_a_type_that_depends_on_the_values_is_refused():
    with pytest.raises(ag.errors.StagingError, match=r'`\[float\(x\) for x in items\]`'):
        ag.function(lambda xs: statistics.mean(gathered(xs)[1]))(*CALLS[0])
    followed = ag.function(lambda xs: statistics.mean([float(x) for x in gathered(xs)[1]]))
    assert followed(*CALLS[0]) == 2.0


def test_chain_maps_and_named_fields_are_refused():
    def f(xs):
        *_, groups = gathered(xs)
        return ChainMap(groups, {1: 2})[1]

    with pytest.raises(ag.errors.StagingError, match=r'`\{\*\*defaults, \*\*given\}`'):
        ag.function(f)(*CALLS[0])
    with pytest.raises(ag.errors.StagingError, match='text of a dict'):
        ag.function(lambda xs: '%(large)s' % gathered(xs)[4])(*CALLS[0])  # noqa: UP031
    check(lambda xs: {**{1: 2.0}, **{int(x): x for x in xs}}, *CALLS)
