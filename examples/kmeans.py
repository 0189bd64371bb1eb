"""k-means on Fisher's iris measurements: plain NumPy, what it becomes, and what that costs.

Run it: python examples/kmeans.py
"""
from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import autograph_lite as ag

IRIS = Path(__file__).parent / 'data' / 'iris.csv'


def kmeans(points, centroids, limit):
    """Moves each centroid to the mean of its points until none moves any more."""
    moved = np.inf
    turns = 0
    while moved > 1e-6:
        if turns == limit:
            break
        turns += 1
        # each point belongs to the nearest centroid
        offsets = points[:, np.newaxis] - centroids
        labels = np.argmin(np.sum(offsets**2, axis=2), axis=1)

        means = centroids.copy()
        for k in range(len(centroids)):
            members = points[labels == k]
            if len(members) > 0:  # an empty cluster stays where it is
                means[k] = np.mean(members, axis=0)
        moved = np.max(np.abs(means - centroids))
        centroids = means
    return centroids, turns


def read_iris(path: Path = IRIS) -> tuple[np.ndarray, np.ndarray]:
    """The 150 measurements, and the species of each flower."""
    table = np.genfromtxt(path, delimiter=',', dtype=str, skip_header=2)
    return table[:, :4].astype(float), table[:, 4]


def best_time(run: Callable[[], Any], rounds: int = 20) -> float:
    """The least time of several runs, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def show(title: str, text: str) -> None:
    """Prints a text under a title."""
    print(f'\n=== {title} ' + '=' * (80 - len(title)))
    print(text.rstrip())


def main() -> None:
    """Prints every stage of the function's way, the clusters, and both times."""
    points, species = read_iris()
    centroids = points[[0, 75, 149]]
    graph_kmeans = ag.function(kmeans)
    concrete = graph_kmeans.get_concrete_function(points, centroids, 100)

    show('what you write', inspect.getsource(kmeans))
    show('what it becomes', ag.to_code(kmeans))
    show('the graph', str(concrete.graph))
    show('the NumPy program that runs', concrete.lowered_code)

    expected, expected_turns = kmeans(points, centroids, 100)
    found, turns = graph_kmeans(points, centroids, 100)
    assert np.array_equal(expected, found), 'the graph gives what plain NumPy gives'
    assert expected_turns == turns
    labels = np.argmin(((points[:, np.newaxis] - found) ** 2).sum(axis=2), axis=1)
    lines = [f'{turns} turns']
    for k, centroid in enumerate(found):
        names, counts = np.unique(species[labels == k], return_counts=True)
        members = ', '.join(f'{n} {s}' for s, n in zip(names, counts, strict=True))
        lines.append(f'cluster {k} at {centroid.round(2)}: {members}')
    show('the clusters', '\n'.join(lines))

    eager = best_time(lambda: kmeans(points, centroids, 100))
    graph = best_time(lambda: graph_kmeans(points, centroids, 100))
    show(
        'the time',
        f'eager NumPy  {eager * 1e6:8.0f} microseconds\n'
        f'graph        {graph * 1e6:8.0f} microseconds, {graph / eager:.2f} of eager',
    )


if __name__ == '__main__':
    main()
