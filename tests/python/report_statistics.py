"""The statistics of `report`, recomputed by statsmodels and scipy. Reads what ours says, a JSON object a line; prints every disagreement."""

import json
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


def binomial(case):
    near(f"binomial {case}", case["p"], stats.binom.sf(case["least"] - 1, case["n"], case["chance"]))


def clustered(case):
    """The standard error of a mean: a regression on a constant, robust to clusters."""
    values = [value for cluster in case["clusters"] for value in cluster]
    labels = [at for at, cluster in enumerate(case["clusters"]) for _ in cluster]
    fitted = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": labels, "use_correction": True})
    n = len(values)
    # statsmodels also multiplies by (n - 1) / (n - k), which is 1 for a mean alone.
    near(f"clustered error of {n}", case["error"], fitted.bse[0] * np.sqrt((n - 1) / (n - 1)))
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


CHECKS = {check.__name__: check for check in
          (wilson, newcombe, fisher, mcnemar_exact, binomial, clustered, student, holm, sign_flip, tango, student_mean)}
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
