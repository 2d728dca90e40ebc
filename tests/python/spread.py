"""Recomputes what tests/differential/statistics.pcd expects, with SciPy and NumPy from the written files.

    python3 spread.py BUNDLE

Where doubles are exact enough, SciPy and NumPy are asked, and may differ by 1e-12 of the numbers that go in; where values are far from 0 and nearly
equal, they lose digits, so fractions are asked there (and for all others, too).
"""

import sys
from decimal import Decimal
from fractions import Fraction

import numpy
from scipy import stats

import bundle
from differential import Near, report, same, stated, table


def near(what, exact, theirs, size=0.0):
    """The exact value, after it is compared with what the packages say."""
    if (exact is None) != (theirs is None) or exact is not None and abs(exact - theirs) > 1e-12 * max(abs(exact), size):
        raise bundle.Disagreement(f"{what}: exactly {exact!r}, but SciPy says {theirs!r}")
    return exact


def doubles(pairs):
    return [tuple(Fraction(float(value)) for value in pair) for pair in pairs if None not in pair]


def moments(pairs):
    n = len(pairs)
    xs, ys = zip(*pairs)
    sx, sy = sum(xs), sum(ys)
    together = lambda a, b, sa, sb: n * sum(x * y for x, y in zip(a, b)) - sa * sb
    return n, sx, sy, together(xs, xs, sx, sx), together(ys, ys, sy, sy), together(xs, ys, sx, sy)


def root(fraction):
    """Of a fraction, to 60 digits."""
    return (Decimal(fraction.numerator) / Decimal(fraction.denominator)).sqrt()


def corr(pairs, close=True):
    pairs = doubles(pairs)
    if len(pairs) < 2:
        return None
    _, _, _, xx, yy, xy = moments(pairs)
    if xx * yy == 0:
        return None
    exact = float(Decimal(xy.numerator) / Decimal(xy.denominator) / root(xx * yy))
    return near("corr", exact, stats.pearsonr(*numpy.array(pairs, dtype=float).T).statistic if close and len(pairs) > 2 else exact, 1.0)


def line(pairs, close=True):
    """Slope and intercept."""
    pairs = doubles(pairs)
    if len(pairs) < 2:
        return None, None
    n, sx, sy, xx, _, xy = moments(pairs)
    if xx == 0:
        return None, None
    slope, intercept = xy / xx, (sy - xy / xx * sx) / n
    if close:
        size = max(abs(float(y)) for _, y in pairs) + abs(float(slope)) * max(abs(float(x)) for x, _ in pairs)
        theirs = stats.linregress(*numpy.array(pairs, dtype=float).T)
        near("slope", float(slope), theirs.slope, size)
        near("intercept", float(intercept), theirs.intercept, size)
    return float(slope), float(intercept)


def slope(pairs, close=True):
    return line(pairs, close)[0]


def intercept(pairs, close=True):
    return line(pairs, close)[1]


def stdev(values, close=True):
    pairs = doubles([(value, 0) for value in values if value is not None])
    if len(pairs) < 2:
        return None
    n, _, _, xx, _, _ = moments(pairs)
    exact = float(root(xx / (n * (n - 1))))
    return near("stdev", exact, float(numpy.std([float(x) for x, _ in pairs], ddof=1)) if close else exact, 10.0)


def pstdev(values, close=True):
    pairs = doubles([(value, 0) for value in values if value is not None])
    if not pairs:
        return None
    n, _, _, xx, _, _ = moments(pairs)
    exact = float(root(xx / (n * n)))
    return near("pstdev", exact, float(numpy.std([float(x) for x, _ in pairs])) if close else exact, 10.0)


def quantile(values, q):
    values = [float(value) for value in values if value is not None]
    return float(numpy.quantile(values, float(q), method="linear")) if values else None


def interpolate(points, at):
    points = sorted((float(x), float(y)) for x, y in points if y is not None)
    if not points or at is None:
        return None
    value = float(numpy.interp(float(at), *zip(*points), left=numpy.nan, right=numpy.nan))
    return None if numpy.isnan(value) else value


def some(value, none=-9.0, size=0.0):
    return Near(none if value is None else value, size)


def of_columns(it):
    d = it.draws
    draw = lambda name: Decimal(d[name]["decimal"]) if isinstance(d[name], dict) else d[name]
    g, low, q, spot = d["g"], d["low"], draw("q"), draw("spot")
    t = table(it, f"{d['dir']}/t.csv", {"ID": int, "G": str, "X": int, "Y": Decimal, "F": float, "D": Decimal, "Z": int})
    p = table(it, f"{d['dir']}/p.csv", {"ID": int, "X": int, "Y": Decimal})
    both = lambda rows, a="X", b="Y": [(row[a], row[b]) for row in rows]
    where = [row for row in t if row["G"] == g]
    above = lambda row: row["X"] is not None and row["X"] > low
    groups = [[row for row in t if row["G"] == group] for group in sorted({row["G"] for row in t})]
    windows = lambda before, after: [t[max(0, at - before):at + after + 1] for at in range(len(t))]
    so_far = [[row for row in t[:at + 1] if row["G"] == t[at]["G"]] for at in range(len(t))]
    column = lambda rows, name: [row[name] for row in rows]
    xs, points, line_at = column(t, "X"), both(p), [row["F"] * 9 - 10 for row in t]
    known = [row for row in t if row["X"] is not None]
    product = lambda rows: sum((row["X"] * row["Y"] for row in rows if None not in (row["X"], row["Y"])), Decimal("0.00"))
    mean = lambda rows: float(Fraction(sum(column(rows, "X")), len(rows))) if rows else 0.0
    off, off_where = mean(known), mean([row for row in known if row["G"] == g])
    squares = [(row["X"] - off) * (row["X"] - off_where) for row in known]
    chi2 = lambda x, df: Near(stats.chi2.sf(float(x), float(df)))
    many, tilt = d["many"], draw("near")
    places = [interpolate(points, place) for place in line_at]
    return {
        "corr": some(corr(both(t)), size=1), "corr_where": some(corr(both(where)), size=1),
        "corr_both": some(corr(both(filter(above, where))), size=1), "corr_far": some(corr(both(t, "D", "F"), False)),
        "corr_each": some(corr([(x if x is None else x * x + 1, y if y is None else float(y) - f) for x, y, f in zip(xs, column(t, "Y"), column(t, "F"))]), size=1),
        "slope": some(slope(both(t)), size=1), "slope_far": some(slope(both(t, "D", "F"), False)),
        "slope_where": some(slope(both(where))), "slope_nulls": some(slope(both(t, "Y", "Z"))),
        "intercept_both": some(intercept(both(filter(above, where))), size=10), "intercept_far": some(intercept(both(t, "D", "F"), False)),
        "intercept": some(intercept(both(t)), size=10), "stdev_far": some(stdev(column(t, "D"), False)), "pstdev_far": some(pstdev(column(t, "D"), False)),
        "quantile": some(quantile(column(t, "Y"), q), -99), "quantile_where": some(quantile(column(where, "F"), q), -99),
        "quantile_each": some(quantile([x if x is None else x * -2 + 1 for x in xs], q), -99), "quantile_list": some(quantile(xs, q), -99),
        "interpolate": some(interpolate(points, spot), -99, 10), "interpolate_each": [Near(place, 10) for place in places if place is not None],
        "interpolate_where": some(interpolate([(x, y) for x, y in points if x > low], spot), -99, 10),
        "interpolate_nulls": [Near(place, 10) for place in (interpolate(points, x) for x in xs) if place is not None],
        "chi2_p": chi2(draw("x"), d["df"]), "chi2_p_many": chi2(float(many * (1 + float(tilt) / 100)), many),
        "sum_product": product(t), "sum_product_where": product(where),
        "sum_off": some(sum(squares) if known else None, size=1e5),
        "list_upper": [row["G"].upper() for row in t if above(row)],
        "max_of_two": max((max(row["X"] or 0, row["ID"]) for row in t), default=-99),
        "distinct_text": len({f"{row['G']}{row['X'] or 0}" for row in t}),
        "sql_corr": [some(corr(both(rows)), size=1) for rows in groups], "sql_corr_far": [some(corr(both(rows, "D", "F"), False)) for rows in groups],
        "sql_slope": [some(slope(both(rows)), size=1) for rows in groups], "sql_intercept": [some(intercept(both(rows)), size=10) for rows in groups],
        "sql_stdev": [some(stdev(column(rows, "Y"))) for rows in groups],
        "sql_pstdev": [some(pstdev(column(rows, "Y"))) for rows in groups],
        "sql_median": [some(quantile(column(rows, "Y"), 0.5), -99) for rows in groups],
        "sql_quantile": [some(quantile(column(rows, "Y"), q), -99) for rows in groups],
        "sql_interpolate": some(interpolate(points, spot), -99, 10), "sql_interpolate_each": [some(place, -99, 10) for place in places],
        "sql_slope_nulls": [some(slope(both(rows, "Y", "Z"))) for rows in groups],
        "sql_intercept_far": [some(intercept(both(rows, "D", "F"), False)) for rows in groups],
        "sql_interpolate_group": [some(interpolate(both([row for row in p if row["ID"] % 3 == rest]), spot), -99, 10) for rest in sorted({row["ID"] % 3 for row in p})],
        "sql_chi2_p": chi2(draw("x"), d["df"]), "sql_chi2_p_group": [chi2(sum(abs(x or 0) for x in column(rows, "X")), len(rows)) for rows in groups],
        "window_intercept": [some(intercept(both(rows)), size=10) for rows in windows(6, 2)],
        "window_corr": [some(corr(both(rows)), size=1) for rows in windows(6, 2)], "window_slope": [some(slope(both(rows)), size=1) for rows in so_far],
        "window_stdev": [some(stdev(column(rows, "D"), False)) for rows in windows(4, 0)],
        "window_pstdev": [some(pstdev(column(rows, "D"), False)) for rows in windows(4, 0)],
        "window_quantile": [some(quantile(column(rows, "Y"), q), -99) for rows in windows(5, 5)],
    }


def main(folder):
    instances = bundle.read(folder)
    wrong, values = [], 0
    for it in instances:
        (expect,) = it.expects
        theirs, ours = expect["value"], of_columns(it)
        values += len(theirs)
        if set(theirs) != set(ours):
            wrong.append(f"{it.id}: the keys differ: {set(theirs) ^ set(ours)}")
        for key, value in ours.items():
            if not same(stated(value), theirs.get(key)):
                wrong.append(f"{it.id}: {key}: recomputed {stated(value)!r}, the bundle says {theirs.get(key)!r}")
    report(wrong, values, instances)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BUNDLE")
    main(sys.argv[1])
