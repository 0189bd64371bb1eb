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


def tensorflow(tf):
    def run(points, centroids):
        moved = tf.constant(np.inf, tf.float64)
        while moved > 1e-6:
            offsets = points[:, tf.newaxis] - centroids
            labels = tf.argmin(tf.reduce_sum(offsets**2, axis=2), axis=1)
            counts = tf.math.bincount(tf.cast(labels, tf.int32), minlength=3, maxlength=3)
            means = tf.math.unsorted_segment_mean(points, labels, 3)
            means = tf.where(counts[:, tf.newaxis] > 0, means, centroids)
            moved = tf.reduce_max(tf.abs(means - centroids))
            centroids = means
        return centroids

    return run


def jax(jax):
    jnp = jax.numpy

    def run(points, centroids):
        def turn(state):
            _, centroids = state
            offsets = points[:, None] - centroids
            labels = jnp.argmin(jnp.sum(offsets**2, axis=2), axis=1)
            member = labels[:, None] == jnp.arange(3)
            counts = jnp.sum(member, axis=0)[:, None]
            means = jnp.where(counts > 0, (member.T @ points) / counts, centroids)
            return jnp.max(jnp.abs(means - centroids)), means

        return jax.lax.while_loop(lambda s: s[0] > 1e-6, turn, (jnp.inf, centroids))[1]

    return run
