"""k-means of 150 points in four dimensions, until nothing moves."""
import numpy as np


def make():
    rng = np.random.default_rng(6)
    points = rng.normal(size=(150, 4)) + np.repeat(4 * np.eye(4)[:3], 50, axis=0)
    return points, points[[0, 75, 149]]


def numpy(points, centroids):
    moved = np.inf
    while moved > 1e-6:
        offsets = points[:, np.newaxis] - centroids
        labels = np.argmin(np.sum(offsets**2, axis=2), axis=1)
        means = centroids.copy()
        for k in range(len(centroids)):
            members = points[labels == k]
            if len(members) > 0:
                means[k] = np.mean(members, axis=0)
        moved = np.max(np.abs(means - centroids))
        centroids = means
    return centroids
