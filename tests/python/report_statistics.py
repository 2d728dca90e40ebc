"""The statistics of `report`, recomputed by statsmodels and scipy. Reads what ours says, a JSON object a line; prints every disagreement."""

import itertools
import json
import math
import sys

import numpy as np
from scipy import optimize, stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

wrong = 0


def near(what, ours, theirs, tolerance=1e-9):
    global wrong
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    if not np.allclose(ours, theirs, rtol=tolerance, atol=tolerance):
        wrong += 1
        print(f"{what}: ours {ours}, theirs {theirs}")


def wilson(case):
    theirs = proportion_confint(case["times"], case["n"], alpha=0.05, method="wilson")
    near(f"wilson {case['times']}/{case['n']}", case["interval"], theirs)


def newcombe(case):
    (a, n), (b, m) = case["first"], case["second"]
    theirs = confint_proportions_2indep(b, m, a, n, method="newcomb", compare="diff", alpha=0.05)
    near(f"newcombe {case['first']} {case['second']}", case["interval"], theirs)


def fisher(case):
    (a, n), (b, m) = case["first"], case["second"]
    near(f"fisher {case['first']} {case['second']}", case["p"], stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue, 1e-7)


def mcnemar_exact(case):
    theirs = mcnemar([[3, case["first"]], [case["second"], 4]], exact=True).pvalue
    near(f"mcnemar {case['first']} {case['second']}", case["p"], theirs)


def by_cluster(clusters):
    """A mean as a regression on a constant, robust to clusters; and how many observations there are."""
    values = [value for cluster in clusters for value in cluster]
    labels = [at for at, cluster in enumerate(clusters) for _ in cluster]
    # statsmodels also multiplies by (n - 1) / (n - k), which is 1 for a mean alone.
    return OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": labels, "use_correction": True}), len(values)


def clustered(case):
    """The standard error of a mean."""
    fitted, n = by_cluster(case["clusters"])
    near(f"clustered error of {n}", case["error"], fitted.bse[0])
    near(f"clustered mean of {n}", case["mean"], fitted.params[0])


def student(case):
    near(f"t quantile {case['freedom']}", case["quantile"], stats.t.ppf(0.975, case["freedom"]))


def holm(case):
    near("holm", case["adjusted"], multipletests(case["values"], method="holm")[1])


def sign_flip(case):
    """Every assignment of signs, by scipy."""
    values = np.array(case["differences"])
    result = stats.permutation_test((values,), lambda x, axis: np.abs(np.sum(x, axis=axis)), permutation_type="samples",
                                    n_resamples=np.inf, alternative="greater", vectorized=True)
    near(f"sign flip {case['differences']}", case["p"], result.pvalue)


def tango(case):
    """The differences that the score test does not refute; the likeliest share under each found by a search of the multinomial likelihood."""
    won, lost, n = case["won"], case["lost"], case["n"]
    seen = (won - lost) / n

    def likeliest(difference):
        """Of p(lost), where p(won) = p(lost) + difference."""
        low, high = max(0.0, -difference), (1 - difference) / 2

        def less(share):
            terms = [(won, share + difference), (lost, share), (n - won - lost, 1 - 2 * share - difference)]
            return -sum(count * np.log(max(chance, 1e-300)) for count, chance in terms if count > 0)

        if high - low < 1e-15:
            return high
        found = optimize.minimize_scalar(less, bounds=(low, high), method="bounded", options={"xatol": 1e-13})
        return min([low, high, found.x], key=less)

    def statistic(difference):
        variance = n * (2 * likeliest(difference) + difference * (1 - difference))
        return (won - lost - n * difference) / np.sqrt(max(variance, 1e-300))

    z = stats.norm.ppf(0.975)
    low = -1.0 if seen <= -1 else optimize.brentq(lambda d: statistic(d) - z, -1 + 1e-12, seen - 1e-12, xtol=1e-13)
    high = 1.0 if seen >= 1 else optimize.brentq(lambda d: statistic(d) + z, seen + 1e-12, 1 - 1e-12, xtol=1e-13)
    near(f"tango {won} {lost} {n}", case["interval"], [low, high], 1e-5)


def student_mean(case):
    theirs = stats.ttest_1samp(case["values"], 0).confidence_interval(0.95)
    near(f"mean of {len(case['values'])}", case["interval"], [theirs.low, theirs.high])


def tail(clusters):
    """The share beyond each end of Hesterberg's expanded percentile interval."""
    return stats.norm.sf(stats.t.ppf(0.975, clusters - 1) * np.sqrt(clusters / (clusters - 1)))


def between(what, ours, values, out):
    """Ours have this share of equally probable values beyond each end, but for the chance of 10,000 draws: a share of 0.2 points is over three standard errors."""
    global wrong
    values = np.sort(np.asarray(values, dtype=float))
    for end, share in zip(ours, (out, 1 - out)):
        below, upto = np.mean(values < end - 1e-9), np.mean(values <= end + 1e-9)
        if below > share + 0.002 or upto < share - 0.002:
            wrong += 1
            print(f"{what}: {end} is from {below:.4f} to {upto:.4f}, not at {share}")


def drawn(clusters):
    """Every draw of as many clusters with replacement, whatever its order, and in how many orders it comes."""
    for draw in itertools.combinations_with_replacement(range(len(clusters)), len(clusters)):
        ways = math.factorial(len(clusters))
        for at in set(draw):
            ways //= math.factorial(draw.count(at))
        yield [clusters[at] for at in draw], ways


def of_draws(clusters, value):
    found = [(value(draw), ways) for draw, ways in drawn(clusters)]
    return np.repeat([value for value, _ in found], [ways for _, ways in found])


def bootstrap_mean(case):
    mean = lambda draw: np.mean([value for cluster in draw for value in cluster])
    between(f"bootstrap mean {case['clusters']}", case["interval"], of_draws(case["clusters"], mean), tail(len(case["clusters"])))


def bootstrap_median(case):
    def median(values):
        return sorted(values)[(len(values) + 1) // 2 - 1]

    def difference(draw):
        pairs = [pair for cluster in draw for pair in cluster]
        return median([b for _, b in pairs]) - median([a for a, _ in pairs])

    between(f"bootstrap median {case['clusters']}", case["interval"], of_draws(case["clusters"], difference), tail(len(case["clusters"])))


def clustered_mean(case):
    """Student's interval with the error that statsmodels gives for clusters."""
    fitted, _ = by_cluster(case["clusters"])
    half = stats.t.ppf(0.975, len(case["clusters"]) - 1) * fitted.bse[0]
    near(f"mean of clusters {case['clusters']}", case["interval"], [fitted.params[0] - half, fitted.params[0] + half])


def share(case):
    """Wilson's interval, as the roots of its equation, of as many observations as statsmodels' error is worth."""
    fitted, n = by_cluster(case["clusters"])
    sizes = np.array([len(cluster) for cluster in case["clusters"]])
    p = fitted.params[0]
    if np.all(sizes == 1):
        near(f"share of {n}", case["interval"], proportion_confint(round(p * n), n, alpha=0.05, method="wilson"))
        return
    simple = p * (1 - p) / (n - 1)
    worth = n / max(1.0, fitted.bse[0] ** 2 / simple if simple > 1e-12 else np.sum(sizes**2) / n)
    square = stats.t.ppf(0.975, len(sizes) - 1) ** 2 / worth
    near(f"share of {case['clusters']}", case["interval"], np.sort(np.roots([1 + square, -(2 * p + square), p * p])), 1e-7)


def bootstrap_scipy(case):
    """Many pairs, each its own cluster: SciPy draws with its own chance."""
    level = 1 - 2 * tail(len(case["values"]))
    theirs = stats.bootstrap((np.array(case["values"]),), np.mean, method="percentile", n_resamples=20_000,
                             confidence_level=level, rng=np.random.default_rng(7)).confidence_interval
    error = np.std(case["values"], ddof=1) / np.sqrt(len(case["values"]))
    near(f"bootstrap of {len(case['values'])}", np.array(case["interval"]) / error, np.array([theirs.low, theirs.high]) / error, 0.12)


def pairs_needed(case):
    """Miettinen's formula, with SciPy's quantiles."""
    difference, discordant = case["difference"], case["discordant"]
    alpha, power = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
    root = alpha * np.sqrt(discordant) + power * np.sqrt(discordant - difference**2)
    near(f"pairs {difference} {discordant}", case["pairs"], np.ceil(root**2 / difference**2 - 1e-9))


CHECKS = {check.__name__: check for check in
          (wilson, newcombe, fisher, mcnemar_exact, clustered, student, holm, sign_flip, tango, student_mean,
           clustered_mean, share, bootstrap_mean, bootstrap_median, bootstrap_scipy, pairs_needed)}
seen = {name: 0 for name in CHECKS}
for line in sys.stdin:
    case = json.loads(line)
    CHECKS[case["check"]](case)
    seen[case["check"]] += 1
for name, times in seen.items():
    if times == 0:
        wrong += 1
        print(f"{name} was not asked")
print(f"{sum(seen.values())} compared, {wrong} wrong")
sys.exit(1 if wrong else 0)
