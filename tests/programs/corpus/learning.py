"""Learning from data: regressions, clustering, networks, classifiers."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from programs.rows import A, F, I, program

X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [0.0, -1.0], [3.0, 1.0]])
Y = np.array([1.0, 2.0, -1.0, 0.0, 3.0])
LABELS = np.array([1, 1, 0, 0, 1])
W = np.array([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]])


def rng(seed):
    return np.random.default_rng(seed)


@program((X.copy(), Y.copy(), F(0.05)), (X.copy(), -Y, F(0.01)))
def linear_regression(x, y, rate):
    w, b = np.zeros(2), 0.0
    for _ in range(20):
        error = x @ w + b - y
        w -= rate * x.T @ error / len(y)
        b -= rate * error.mean()
    return w, b


@program((X.copy(), LABELS.copy()))
def logistic_regression(x, y):
    w = np.zeros(2)
    losses = []
    for _ in range(5):
        p = 1 / (1 + np.exp(-(x @ w)))
        losses.append(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))
        w = w - 0.5 * x.T @ (p - y) / len(y)
    return w, np.array(losses)


@program((X.copy(), LABELS.copy()), (X * -1, LABELS.copy()))
def perceptron(x, y):
    w, b = np.zeros(2), 0.0
    for epoch in range(10):
        mistakes = 0
        for xi, yi in zip(x, y):
            predicted = 1 if xi @ w + b > 0 else 0
            if predicted != yi:
                w += (yi - predicted) * xi
                b += yi - predicted
                mistakes += 1
        if mistakes == 0:
            break
    return w, b, epoch


@program((X.copy(), X[:2].copy()))
def k_means(points, centroids):
    centroids = centroids.copy()
    labels = np.zeros(len(points), dtype=int)
    for _ in range(10):
        distances = ((points[:, None] - centroids[None]) ** 2).sum(axis=2)
        new = distances.argmin(axis=1)
        if np.array_equal(new, labels):
            break
        labels = new
        for k in range(len(centroids)):
            members = points[labels == k]
            if len(members) > 0:
                centroids[k] = members.mean(axis=0)
    return centroids, labels


@program((X.copy(), LABELS.copy(), A(0.5, 0.5)), (X.copy(), LABELS.copy(), A(-1.0, -1.0)))
def nearest_neighbours(x, labels, query):
    d = np.sqrt(((x - query) ** 2).sum(axis=1))
    votes = np.zeros(2, dtype=int)
    for i in np.argsort(d)[:3]:
        votes[labels[i]] += 1
    return votes.argmax()


@program((X.copy(), W.copy(), A(1.0, -1.0, 0.5)))
def two_layer_network(x, w1, w2):
    for _ in range(3):
        h = np.tanh(x @ w1)
        out = h @ w2
        grad = 2 * (out - 1.0) / len(x)
        g2 = h.T @ grad
        g1 = x.T @ (np.outer(grad, w2) * (1 - h**2))
        w1 = w1 - 0.1 * g1
        w2 = w2 - 0.1 * g2
    return w1, w2


@program((rng(0), X.copy(), Y.copy()), (rng(1), X.copy(), Y.copy()))
def stochastic_gradient_descent(generator, x, y):
    w = np.zeros(2)
    for _ in range(3):
        order = generator.permutation(len(y))
        for i in order:
            w += 0.1 * (y[i] - x[i] @ w) * x[i]
    return w


@program((A(3.0, -2.0), F(0.1)), (A(0.1, 0.1), F(0.5)))
def adam(w, rate):
    m = v = np.zeros(2)
    for t in range(1, 11):
        g = 2 * w
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        w = w - rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return w


@program((Y.copy(), F(0.01)), (Y.copy(), F(100.0)))
def early_stopping(y, tolerance):
    best, patience, w = None, 0, F(0.0)
    for epoch in range(50):
        loss = ((y - w) ** 2).mean()
        w += 0.2 * (y - w).mean()
        if best is None or loss < best - tolerance:
            best, patience = loss, 0
        else:
            patience += 1
            if patience >= 3:
                break
    return w, best, epoch


class Momentum:
    def __init__(self, rate):
        self.rate = rate
        self.velocity = np.zeros(2)
        self.steps = 0

    def update(self, w, g):
        self.velocity = 0.9 * self.velocity - self.rate * g
        self.steps += 1
        return w + self.velocity


@program((A(1.0, 2.0), F(0.1)), (A(0.0, 0.0), F(0.1)))
def an_optimiser_object(w, rate):
    optimiser = Momentum(rate)
    for _ in range(5):
        w = optimiser.update(w, 2 * w)
    return w, optimiser.velocity, optimiser.steps


OPTIMISER = Momentum(0.1)


@program(A(1.0, 2.0), A(3.0, -1.0), A(0.0, 0.0))
def an_optimiser_outside(w):
    return OPTIMISER.update(w, 2 * w)


@dataclass
class Model:
    w: np.ndarray
    b: float = 0.0
    history: list = field(default_factory=list)

    def predict(self, x):
        return x @ self.w + self.b

    def train(self, x, y):
        error = self.predict(x) - y
        loss = (error**2).mean()
        self.w -= 0.05 * x.T @ error
        self.b -= 0.05 * error.sum()
        self.history.append(loss)
        return loss


MODEL, OTHER = Model(np.zeros(2)), Model(np.ones(2))


@program((MODEL, X.copy(), Y.copy()), (MODEL, X.copy(), Y.copy()), (MODEL, X + 1, Y.copy()),
    fails='traces again for a number that it reads and writes')
def train_a_given_model(model, x, y):
    return model.train(x, y)


@program((X.copy(), Y.copy()), (X.copy(), Y.copy()), (X + 1, Y.copy()),
    fails='an array of an object outside changed in place in a loop')
def train_a_model_outside(x, y):
    for _ in range(3):
        MODEL.train(x, y)
    return MODEL.predict(x)


@program((MODEL, X.copy(), Y.copy()), (OTHER, X.copy(), Y.copy()))
def two_models(model, x, y):
    before = model.train(x, y)
    after = model.train(x, y)
    return before > after


@program((X.copy(), Y.copy()))
def a_model_made_inside(x, y):
    model = Model(np.zeros(2))
    for _ in range(4):
        model.train(x, y)
    return model.w, model.b, len(model.history), model.history[-1]


@program(X.copy(), X * 3)
def standardise(x):
    mean, std = x.mean(axis=0), x.std(axis=0)
    return (x - mean) / np.where(std == 0, 1, std)


@program((X.copy(), LABELS.copy()))
def naive_bayes(x, y):
    scores = []
    for c in (0, 1):
        members = x[y == c]
        mean, var = members.mean(axis=0), members.var(axis=0) + 1e-9
        scores.append(-0.5 * (np.log(var) + (x - mean) ** 2 / var).sum(axis=1))
    return np.argmax(np.array(scores), axis=0)


@program((A(0.1, 0.4, 0.35, 0.8), A(0, 0, 1, 1)), (A(0.9, 0.1, 0.5, 0.5), A(1, 0, 1, 0)))
def area_under_curve(scores, labels):
    wins, pairs = 0.0, 0
    for i in range(len(scores)):
        if labels[i] != 1:
            continue
        for j in range(len(scores)):
            if labels[j] == 0:
                pairs += 1
                if scores[i] > scores[j]:
                    wins += 1
                elif scores[i] == scores[j]:
                    wins += 0.5
    return wins / pairs


@program((A(1, 0, 1, 1), A(1, 1, 0, 1)), (A(0, 0, 0, 0), A(0, 0, 0, 0)))
def precision_and_recall(truth, predicted):
    tp = np.sum((truth == 1) & (predicted == 1))
    fp = np.sum((truth == 0) & (predicted == 1))
    fn = np.sum((truth == 1) & (predicted == 0))
    precision = tp / (tp + fp) if tp + fp > 0 else 0.0
    recall = tp / (tp + fn) if tp + fn > 0 else 0.0
    return precision, recall


@program((LABELS.copy(), A(1, 0, 0, 1, 1)))
def confusion_matrix(truth, predicted):
    matrix = np.zeros((2, 2), dtype=int)
    for t, p in zip(truth, predicted):
        matrix[t, p] += 1
    return matrix


@program((X.copy(), LABELS.copy()), (X[:, ::-1].copy(), LABELS.copy()))
def decision_stump(x, y):
    best = (len(y) + 1, -1, F(0.0))
    for f in range(x.shape[1]):
        for t in x[:, f]:
            errors = int(((x[:, f] > t) != y).sum())
            if errors < best[0]:
                best = (errors, f, t)
    return best


@program((A(1.0, 2.0, 3.0), F(0.3)), (A(5.0, 0.0, 5.0), F(0.9)))
def exponential_smoothing(xs, alpha):
    out = np.empty_like(xs)
    s = xs[0]
    for i, x in enumerate(xs):
        s = alpha * x + (1 - alpha) * s
        out[i] = s
    return out


@program((rng(3), A(0.2, 0.8)), (rng(4), A(0.5, 0.5)))
def epsilon_greedy_bandit(generator, means):
    values, counts = np.zeros(2), np.zeros(2)
    reward_sum = 0.0
    for _ in range(15):
        if generator.random() < 0.2:
            arm = generator.integers(2)
        else:
            arm = np.argmax(values)
        reward = 1.0 if generator.random() < means[arm] else 0.0
        counts[arm] += 1
        values[arm] += (reward - values[arm]) / counts[arm]
        reward_sum += reward
    return values, counts, reward_sum


@program((np.zeros((3, 2)), A(0, 1, 1, 2)), (np.ones((3, 2)), A(2, 2, 0, 0)))
def q_learning(q, states):
    q = q.copy()
    for s, t in zip(states[:-1], states[1:]):  # noqa: RUF007
        a = q[s].argmax()
        reward = 1.0 if t == 2 else 0.0
        q[s, a] += 0.5 * (reward + 0.9 * q[t].max() - q[s, a])
    return q


@program(np.array([[0.0, -1.0, -1.0], [-1.0, 0.0, 5.0], [-1.0, -1.0, 0.0]]))
def value_iteration(rewards):
    v = np.zeros(3)
    for n in range(100):
        new = (rewards + 0.5 * v).max(axis=1)
        if np.abs(new - v).max() < 1e-6:
            return new, n
        v = new
    return v, -1


@program((A(0.5, 0.5), np.array([[0.7, 0.3], [0.4, 0.6]]), A(0, 1, 0)))
def hidden_markov_forward(start, transitions, observations):
    emissions = np.array([[0.9, 0.1], [0.2, 0.8]])
    alpha = start * emissions[:, observations[0]]
    for o in observations[1:]:
        alpha = (alpha @ transitions) * emissions[:, o]
    return alpha.sum()


@program((A(0.5, 0.5), np.array([[0.7, 0.3], [0.4, 0.6]]), A(0, 1, 1, 0)))
def viterbi(start, transitions, observations):
    emissions = np.array([[0.9, 0.1], [0.2, 0.8]])
    score = np.log(start * emissions[:, observations[0]])
    back = np.zeros((len(observations), 2), dtype=int)
    for t in range(1, len(observations)):
        step = score[:, None] + np.log(transitions)
        back[t] = step.argmax(axis=0)
        score = step.max(axis=0) + np.log(emissions[:, observations[t]])
    path = np.zeros(len(observations), dtype=int)
    path[-1] = score.argmax()
    for t in range(len(observations) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


@program((A(1.0, 2.0, 6.0, 7.0), F(0.0), F(5.0)), (A(1.0, 1.0, 1.0, 1.0), F(0.0), F(1.0)))
def expectation_maximisation(xs, a, b):
    for _ in range(5):
        pa, pb = np.exp(-0.5 * (xs - a) ** 2), np.exp(-0.5 * (xs - b) ** 2)
        r = pa / (pa + pb)
        a, b = (r * xs).sum() / r.sum(), ((1 - r) * xs).sum() / (1 - r).sum()
    return a, b


LAYERS = [(W, np.zeros(3)), (np.ones((3, 1)), np.ones(1))]


@program(X.copy(), X[:1].copy(), traces=2)
def forward_through_layers(x):
    for i, (w, b) in enumerate(LAYERS):
        x = x @ w + b
        if i < len(LAYERS) - 1:
            x = np.maximum(x, 0)
    return x


@program((X.copy(), {'w': A(0.1, 0.2), 'b': F(0.0)}), (X * 2, {'w': A(1.0, 1.0), 'b': F(1.0)}))
def parameters_in_a_dict(x, params):
    grads = {}
    for _ in range(2):
        error = x @ params['w'] + params['b'] - 1
        grads['w'] = x.T @ error
        grads['b'] = error.sum()
        params = {k: v - 0.01 * grads[k] for k, v in params.items()}
    return params, np.sqrt(sum((g**2).sum() for g in grads.values()))


@program((X.copy(), Y.copy(), I(2)), (X.copy(), Y.copy(), I(3)))
def minibatches(x, y, size):
    w = np.zeros(2)
    batches = 0
    for start in range(0, len(y), size):
        xb, yb = x[start : start + size], y[start : start + size]
        w = w + 0.1 * xb.T @ (yb - xb @ w)
        batches += 1
    return w, batches


@program((F(1.0), I(7)), (F(0.5), I(0)))
def learning_rate_schedule(rate, epochs):
    for epoch in range(epochs):
        if epoch in (3, 5):
            rate *= 0.1
        elif epoch % 2 == 0:
            rate *= 0.99
    return rate


@program((A(3.0, 4.0), F(1.0)), (A(0.1, 0.1), F(1.0)))
def clip_gradient(g, limit):
    norm = np.linalg.norm(g)
    if norm > limit:
        g = g * (limit / norm)
    return g


@program(np.array([[1.0, 2.0, 1.0], [0.0, 1.0, 0.0], [2.0, 0.0, 1.0]]))
def convolution_layer(image):
    kernel = np.array([[1.0, -1.0], [0.5, 0.5]])
    out = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            out[i, j] = (image[i : i + 2, j : j + 2] * kernel).sum()
    return np.maximum(out, 0)


@program((A(1.0, -1.0, 0.5), F(0.0)), (A(0.0, 0.0, 0.0), F(1.0)))
def recurrent_cell(xs, h):
    outputs = []
    for x in xs:
        h = np.tanh(0.5 * x + 0.8 * h)
        outputs.append(h)
    return np.stack(outputs), h
