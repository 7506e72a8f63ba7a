"""What the article says of the measures: of LD's dependence on class size, of their orders, of the synthetic data."""

from __future__ import annotations

from itertools import product

from optisplit.measures.registry import name_of
from optisplit.studies.paper.catalogue import PAPER_DATA
from optisplit.studies.paper.claims import FAILS, HOLDS, IN_PART, SLIP, Claim, Evidence, fold_share, pairs_alike
from optisplit.text import short_number

LARGE = ("cc", "mf", "bp")
SMALL = ("bibtex", "mediamill", "delicious")


def depends_on_size(evidence: Evidence) -> Claim:
    """Check that LD grows with the class and the others do not."""
    info = evidence.synthetic
    grown = {measure: info.growth(measure, "missing") for measure in ("ld", "rld", "dcp")}
    holds = grown["ld"] > 10 and max(grown["rld"], grown["dcp"]) < 1.1
    told = ", ".join(f"{name_of(measure)} {short_number(value)}" for measure, value in grown.items())
    return Claim(
        "Measures, synthetic data", "LD depends on the size of a class; rLD and DCP do not.",
        HOLDS if holds else FAILS,
        f"One fold without any: score of the largest class divided by that of the smallest: {told}.",
        "synthetic data, computed here",
    )  # fmt: skip


def derivative(_evidence: Evidence) -> Claim:
    """Check the derivative of the odds."""
    at, step = 0.5, 1e-6
    odds = [x / (1 - x) for x in (at - step, at + step)]
    slope = (odds[1] - odds[0]) / (2 * step)
    return Claim(
        "Measures", "The odds x/(1-x) have the derivative 1/(1-x²).", SLIP,
        f"At x = {at:g} they rise by {slope:.4g}; 1/(1-x²) is {1 / (1 - at**2):.4g} there, 1/(1-x)² is "
        f"{1 / (1 - at) ** 2:.4g}. What follows from it stands, more strongly still. And x < x/(1-x) is not so at "
        "x = 0, where both are 0.",
        "computed here",
    )  # fmt: skip


def synthetic_sizes(evidence: Evidence) -> Claim:
    """Check the class sizes of the synthetic data."""
    info = evidence.synthetic
    n_rows, k, sizes = info.n_rows, info.n_splits, info.sizes["equal"]
    q = sizes.size
    last = 2 * k + (q - 1) * (n_rows / 2 - 2 * k) / q
    return Claim(
        "Synthetic data", "Class sizes run from 2k to n/2, by 2k + j (n/2 - 2k)/q for j from 0 to q - 1.", SLIP,
        f"With n = {n_rows:,}, q = {q}, k = {k} that formula ends at {last:,.0f}, not at {n_rows // 2:,}; here the "
        f"steps are equal from {sizes[0]:,} to {sizes[-1]:,}. It also writes class sizes as |S_j|, which are the "
        "folds.",
        "computed here",
    )  # fmt: skip


def missing_in_dcp(evidence: Evidence) -> Claim:
    """Check what the caption says of DCP where a fold has none."""
    scores = {measure: evidence.synthetic.scores[measure] for measure in ("dcp", "rld")}
    dcp, rld = ({kind: float(each[kind][-1]) for kind in ("difference", "missing")} for each in scores.values())
    return Claim(
        "Synthetic data, caption",
        "DCP gives a comparatively higher score than the other measures where a class is missing from one fold.",
        HOLDS if dcp["missing"] > dcp["difference"] else FAILS,
        f"The other way round: DCP {dcp['missing']:.4f} for One missing, below its {dcp['difference']:.4f} for "
        f"Difference, since the largest fold alone counts; rLD {rld['missing']:.4f} and {rld['difference']:.4f}.",
        "synthetic data, computed here",
    )  # fmt: skip


def dcp_and_rld(evidence: Evidence) -> Claim:
    """Check that DCP and rLD order methods alike."""
    told, shares = [], []
    for printed, whose in ((True, "printed"), (False, "ours")):
        pairs = [
            pairs_alike(evidence.scores(key, "dcp", printed=printed), evidence.scores(key, "rld", printed=printed))
            for key in PAPER_DATA
        ]
        alike, total = (sum(each) for each in zip(*pairs, strict=True))
        shares.append(alike / total)
        told.append(f"{alike} of {total} pairs of methods ({whose})")
    return Claim(
        "Results", "DCP and rLD order the methods alike.", HOLDS if min(shares) > 0.85 else IN_PART,
        f"Ordered alike by both, over the seven data sets: {' and '.join(told)}.", "Table 2",
    )  # fmt: skip


def dcp_for_rld(evidence: Evidence) -> Claim:
    """Check what lowering DCP does to rLD."""
    rises: dict[bool, dict[str, float]] = {True: {}, False: {}}
    for printed, key in product((True, False), PAPER_DATA):
        pair = evidence.scores(key, "rld", printed=printed, rows=("optisplit-dcp", "optisplit-rld"))
        if len(pair) == 2:
            rises[printed][evidence.title(key)] = pair["optisplit-dcp"] / pair["optisplit-rld"] - 1
    spans = [f"{100 * min(each.values()):+.0f} to {100 * max(each.values()):+.0f} %" for each in rises.values()]
    told = [", ".join(f"{title} {100 * rise:+.0f} %" for title, rise in each.items()) for each in rises.values()]
    return Claim(
        "Results", "Lowering DCP gives nearly as good an rLD as lowering rLD itself.",
        HOLDS if max(max(each.values()) for each in rises.values()) < 0.1 else IN_PART,
        f"rLD of OptiSplit for DCP against that for rLD: {spans[0]} (printed), {spans[1]} (ours).", "Table 2",
        f"Printed: {told[0]}. Ours: {told[1]}.",
    )  # fmt: skip


def order_of_ld(evidence: Evidence) -> Claim:
    """Check LD's order of methods against rLD's and DCP's."""
    told = []
    shares: dict[tuple[bool, bool], list[float]] = {each: [] for each in product((True, False), (True, False))}
    for key in PAPER_DATA:
        words = []
        for printed in (True, False):
            ld = evidence.scores(key, "ld", printed=printed)
            pairs = [pairs_alike(ld, evidence.scores(key, figure, printed=printed)) for figure in ("rld", "dcp")]
            words.append(" and ".join(f"{alike} of {total}" for alike, total in pairs))
            if key in (*LARGE, *SMALL) and pairs[0][1]:
                shares[printed, key in LARGE].append(pairs[0][0] / pairs[0][1])
        told.append(f"{evidence.title(key)} {words[0]} (ours {words[1]})")
    mean = {which: sum(each) / max(len(each), 1) for which, each in shares.items()}
    holds = mean[True, True] < mean[True, False] and mean[False, True] < mean[False, False]
    return Claim(
        "Results", "LD orders the methods otherwise than rLD and DCP, and more so on larger, less balanced data.",
        HOLDS if holds else IN_PART,
        f"Of two methods LD prefers the one that rLD prefers in {100 * mean[True, False]:.0f} % of pairs on bibtex, "
        f"delicious and mediamill, in {100 * mean[True, True]:.0f} % on CC, MF and BP (printed; ours, the last four "
        f"beside stand-ins: {100 * mean[False, False]:.0f} and {100 * mean[False, True]:.0f} %).",
        "Table 2",
        "Pairs that LD orders as rLD does, and as DCP does, of those that both tell apart; printed: "
        f"{'; '.join(told)}.",
    )  # fmt: skip


def ld_favours(evidence: Evidence) -> Claim:
    """Check that LD likes PMBSRS where rLD sees nothing."""
    told: dict[bool, list[str]] = {True: [], False: []}
    seen = []
    for printed, key in product((True, False), LARGE):
        falls = {}
        for figure in ("ld", "rld"):
            pair = evidence.scores(key, figure, printed=printed, rows=("random", "pmbsrs"))
            falls[figure] = pair["pmbsrs"] / pair["random"] - 1 if len(pair) == 2 else 0.0
        told[printed].append(f"{PAPER_DATA[key].title} LD {100 * falls['ld']:+.0f} %, rLD {100 * falls['rld']:+.1f} %")
        seen.append(falls["ld"] < -0.1 and abs(falls["rld"]) < 0.05)
    return Claim(
        "Results", "On large data LD gives PMBSRS a much better score than a random split; rLD does not.",
        HOLDS if all(seen) else IN_PART, f"PMBSRS against Random, printed: {'; '.join(told[True])}.", "Table 2",
        f"Ours, on stand-ins: {'; '.join(told[False])}.",
    )  # fmt: skip


def ed_does_not_matter(evidence: Evidence) -> Claim:
    """Check whether ED stays small beside a fold."""
    shares = {
        key: fold_share(evidence, key, evidence.scores(key, "ed", printed=True)["optisplit-rld"]) for key in PAPER_DATA
    }
    worst = max(shares, key=lambda key: shares[key])
    rows = evidence.kept.experiments["rare"]["wiki10_31k"]["optisplit"]["rows"]
    others = [100 * share for key, share in shares.items() if key != worst]
    return Claim(
        "Results", "Unequal folds (a high ED) should be no problem in practice.", IN_PART,
        f"ED of OptiSplit for rLD as a share of a fold, printed: {min(others):.1f} to {max(others):.1f} % on "
        f"six data sets, {100 * shares[worst]:.0f} % on {PAPER_DATA[worst].title}. There our run's folds have from "
        f"{100 * min(rows):.0f} to {100 * max(rows):.0f} % of the rows: five test results of very unlike weight. And "
        "equal folds cost nothing: see OptiSplit-SA.",
        "Table 2; folds of OptiSplit on Wiki10-31K, made beforehand",
    )  # fmt: skip


CHECKS = (
    depends_on_size, derivative, synthetic_sizes, missing_in_dcp, order_of_ld, ld_favours, dcp_and_rld, dcp_for_rld,
    ed_does_not_matter,
)  # fmt: skip
