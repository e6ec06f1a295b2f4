"""Recounting the evidence of a known pattern that mining did not find again. Pure functions."""

from dataclasses import replace

from emberkeep.model.experience import TaskPattern
from emberkeep.patterns.drafting import Group, case_of, told
from emberkeep.patterns.standing import is_refuted
from emberkeep.patterns.statistics import fisher

DOUBTFUL = 0.2  # the p-value above which a pattern that was found once is no longer believed


def recounted(former: TaskPattern, group: Group) -> tuple[TaskPattern, bool]:
    """The pattern with new counts from the group's tasks, and whether it should be retired."""
    feature = former.subject.removeprefix(f"{former.pattern_type}|{group.key}").removeprefix("|")
    if former.pattern_type == "optimization":
        return former, True
    cases = [case_of(one, with_type=group.key == "all") for one in group.members]
    wanted = former.pattern_type == "success"
    showing = [case for case in cases if not feature or feature in case.features]
    others = [case for case in cases if feature and feature not in case.features]
    hits, others_hit = sum(case.success == wanted for case in showing), sum(case.success == wanted for case in others)
    ended = "succeeded" if wanted else "failed"
    said = f"{group.title}: {hits} of {len(showing)} {ended}"
    if feature:
        said = told(group.title, feature, former.pattern_type, (hits, len(showing)), (others_hit, len(others)))
    changed = replace(
        former, description=said, hits=hits, support=len(showing), other_hits=others_hit, other_support=len(others)
    )
    if not feature:
        return changed, 2 * hits < len(showing)
    doubtful = 2 * fisher(hits, len(showing), others_hit, len(others)) > DOUBTFUL
    return changed, doubtful or is_refuted(hits, len(showing), others_hit, len(others))
