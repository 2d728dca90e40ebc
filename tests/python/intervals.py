"""Intervals of a report, computed with the standard library of Python alone: Wilson's and Tango's of clusters, Student's, and the bootstrap of clusters with the
same draws as picardc's (ChaCha8 of a fixed key).
"""

import functools
import math
import struct

DRAWS = 10_000
SEED = b"picardc report, resampling, v. 1"
FEWEST = 6
Z = 1.959963984540054
POWER = 0.8416212335729142


def rank(values, percent):
    """The nearest rank."""
    values = sorted(values)
    return values[-(-percent * len(values) // 100) - 1]


@functools.cache
def quantile(freedom):
    """The 97.5% quantile of Student's t, from its density by Simpson's rule."""
    if freedom == 0:
        return math.inf
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def within(end, steps=4_000):
        density = lambda x: scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2)
        width = end / steps
        inner = sum((4 if at % 2 else 2) * density(at * width) for at in range(1, steps))
        return 2 * (density(0) + inner + density(end)) * width / 3

    low, high = 1.9, 13.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < 0.95 else (low, middle)
    return (low + high) / 2


def error(clusters):
    """The standard error of the mean, robust to dependence within clusters; `None` of one cluster."""
    if len(clusters) < 2:
        return None
    n = sum(map(len, clusters))
    mean = sum(map(sum, clusters)) / n
    squares = sum((sum(cluster) - len(cluster) * mean) ** 2 for cluster in clusters)
    return math.sqrt(len(clusters) / (len(clusters) - 1) * squares) / n


def effect(clusters, simple, least=1.0):
    """The design effect: the clustered variance over that of independent observations."""
    found = error(clusters)
    n = sum(map(len, clusters))
    if found is not None and simple > 1e-12:
        return max(least, min(found**2 / simple, n)) if least != 1.0 else max(1.0, found**2 / simple)
    return max(1.0, sum(len(cluster) ** 2 for cluster in clusters) / n)


def normal_or_student(clusters):
    return Z if all(len(cluster) == 1 for cluster in clusters) else quantile(len(clusters) - 1)


def share(clusters):
    """Wilson's interval: the roots of (p - x)^2 = t^2 x (1 - x) / n."""
    n = sum(map(len, clusters))
    p = sum(map(sum, clusters)) / n
    is_single = all(len(cluster) == 1 for cluster in clusters)
    size = n if is_single else n / effect(clusters, p * (1 - p) / (n - 1) if n > 1 else 0.0)
    t = normal_or_student(clusters)
    if math.isinf(t):
        return [0.0, 1.0]
    square = t * t / size
    root = math.sqrt((2 * p + square) ** 2 - 4 * (1 + square) * p * p)
    ends = [(2 * p + square - root) / (2 * (1 + square)), (2 * p + square + root) / (2 * (1 + square))]
    return [max(0.0, ends[0]), min(1.0, ends[1])]


def tango(won, lost, n, t):
    """All differences that the score test does not refute. The likeliest share of lost pairs under each is the root of Tango's quadratic."""
    if math.isinf(t):
        return [-1.0, 1.0]
    seen = (won - lost) / n

    def statistic(difference):
        b = (2 * n - won + lost) * difference - won - lost
        c = -lost * difference * (1 - difference)
        likeliest = (math.sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
        likeliest = min(max(likeliest, -difference, 0.0), (1 - difference) / 2)
        variance = n * (2 * likeliest + difference * (1 - difference))
        return (won - lost - n * difference) / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, seen - difference)

    def end(out):
        inside, outside = seen, out
        if inside == outside:
            return out
        for _ in range(200):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if abs(statistic(middle)) <= t else (inside, middle)
        return inside

    return [end(-1.0), end(1.0)]


def paired(strata, is_clustered):
    """Of differences -1, 0, and 1 by task and cluster: their mean, its interval over the tasks, and the pairs that would show it."""
    n = sum(len(cluster) for task in strata for cluster in task)
    low = high = mean = costs = 0.0
    for task in strata:
        every = [difference for cluster in task for difference in cluster]
        won, lost, size = every.count(1), every.count(-1), len(every)
        own = (won - lost) / size
        simple = ((won + lost) / size - own**2) / (size - 1) if size > 1 else 0.0
        cost = effect(task, simple)
        t = quantile(len(task) - 1) if is_clustered else Z
        ends = tango(won / cost, lost / cost, size / cost, t)
        weight = size / n
        mean += weight * own
        costs += weight * cost
        low += (weight * (own - ends[0])) ** 2
        high += (weight * (ends[1] - own)) ** 2
    discordant = sum(difference != 0 for task in strata for cluster in task for difference in cluster) / n
    needed = None
    if mean != 0:
        psi = min(max(discordant, abs(mean)), 1.0)
        root = Z * math.sqrt(psi) + POWER * math.sqrt(max(0.0, psi - mean**2))
        needed = math.ceil(math.ceil(root**2 / mean**2 - 1e-9) * (max(1.0, costs) if is_clustered else 1.0))
    interval = [max(-1.0, mean - math.sqrt(low)), min(1.0, mean + math.sqrt(high))]
    return {"difference": mean, "interval": interval, "pairs_needed": needed}


def chacha8(seed):
    """The 64-bit words of ChaCha with 8 rounds, a counter and a stream of 64 bits, both from 0 (D. J. Bernstein, 2008)."""
    key = struct.unpack("<8I", seed)
    constants = struct.unpack("<4I", b"expand 32-byte k")
    quarters = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    full = 0xFFFFFFFF
    counter = 0
    while True:
        start = [*constants, *key, counter & full, counter >> 32, 0, 0]
        x = list(start)
        for _ in range(4):
            for a, b, c, d in quarters:
                xa, xb, xc, xd = x[a], x[b], x[c], x[d]
                xa = (xa + xb) & full
                xd ^= xa
                xd = (xd << 16 | xd >> 16) & full
                xc = (xc + xd) & full
                xb ^= xc
                xb = (xb << 12 | xb >> 20) & full
                xa = (xa + xb) & full
                xd ^= xa
                xd = (xd << 8 | xd >> 24) & full
                xc = (xc + xd) & full
                xb ^= xc
                xb = (xb << 7 | xb >> 25) & full
                x[a], x[b], x[c], x[d] = xa, xb, xc, xd
        words = [(one + two) & full for one, two in zip(x, start)]
        for low, high in zip(words[::2], words[1::2]):
            yield high << 32 | low
        counter += 1


WORDS = []
GENERATOR = chacha8(SEED)


@functools.cache
def draws(clusters):
    """Which clusters are drawn, each time as many as there are."""
    while len(WORDS) < DRAWS * clusters:
        WORDS.append(next(GENERATOR))
    chosen = [word * clusters >> 64 for word in WORDS[: DRAWS * clusters]]
    return [chosen[at : at + clusters] for at in range(0, DRAWS * clusters, clusters)]


def percentiles(values):
    """Hesterberg's expanded percentiles: 10,000 values of draws of this number of clusters."""
    values, clusters = values
    far = quantile(clusters - 1) * math.sqrt(clusters / (clusters - 1))
    out = max(1, math.ceil(DRAWS * math.erfc(far / math.sqrt(2)) / 2))
    values = sorted(values)
    low, high = values[out - 1], values[DRAWS - out]
    return [low, high] if low < high else None


def mean(clusters):
    """The interval of the mean: of few clusters Student's, else by the bootstrap. `None` where nothing varies."""
    if len(clusters) < FEWEST:
        found = error(clusters)
        middle = sum(map(sum, clusters)) / sum(map(len, clusters))
        if found is None or found <= abs(middle) * 1e-12:
            return None
        half = quantile(len(clusters) - 1) * found
        return [middle - half, middle + half]
    sums = [(sum(cluster), len(cluster)) for cluster in clusters]
    means = [sum(sums[at][0] for at in draw) / sum(sums[at][1] for at in draw) for draw in draws(len(clusters))]
    return percentiles((means, len(clusters)))


def medians(clusters):
    """The median of the second of each pair less that of the first, and its interval by the bootstrap."""
    middle = lambda values: sorted(values)[(len(values) + 1) // 2 - 1]

    def difference(chosen):
        pairs = [pair for at in chosen for pair in clusters[at]]
        return middle([b for _, b in pairs]) - middle([a for a, _ in pairs])

    found = difference(range(len(clusters)))
    if len(clusters) < FEWEST:
        return {"difference": found, "interval": None}
    return {"difference": found, "interval": percentiles(([difference(draw) for draw in draws(len(clusters))], len(clusters)))}
