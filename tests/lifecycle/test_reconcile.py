"""What a new statement does to what is known, decided without a database."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from emberkeep.lifecycle.reconcile import Known, Near, decide
from emberkeep.model.claim import Claim
from emberkeep.model.item import Draft, Item
from emberkeep.model.kinds import Kind
from emberkeep.model.scope import Scope

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return DAY + timedelta(days=number)


def item(text: str, at: int = 0, until: int | None = None, kind: Kind = "fact", agent: str | None = None) -> Item:
    return Item(
        id=text,
        text=text,
        kind=kind,
        user_id="alex",
        agent_id=agent,
        session_id=None,
        speaker=None,
        tags=(),
        metadata={},
        occurred_at=day(at),
        recorded_at=day(at),
        valid_from=day(at),
        valid_to=None if until is None else day(until),
        superseded_by=None,
        temperature=75.0,
        heated_at=day(at),
        access_count=0,
        last_access=None,
        sacred=False,
    )


def home(place: str, **more: Any) -> Claim:
    return Claim("", "home", place, single=True, **more)


def has(thing: str, **more: Any) -> Claim:
    return Claim("", "has", thing, **more)


def words(text: str) -> frozenset[int]:
    return frozenset(hash(word.rstrip("s")) for word in text.split())


def verdict(claim: Claim | None, at: int, known: list[tuple[Item, Claim]], **options: Any) -> Any:
    draft = Draft(
        Scope("t", "alex", options.pop("agent", None)), options.pop("kind", "fact"), "said", day(at), claim=claim
    )
    near = options.pop("near", [])
    return decide(draft, [Known(*pair) for pair in known], near, words, same_from=0.95)


def test_what_nobody_knew_is_added() -> None:
    assert verdict(home("lisbon"), 1, []).action == "add"
    assert verdict(None, 1, []).action == "add"


def test_the_same_again_warms() -> None:
    known = item("Alex lives in Lisbon")
    assert verdict(home("lisbon"), 1, [(known, home("lisbon"))]) == verdict(
        home("lisbon"), 2, [(known, home("lisbon"))]
    )
    assert verdict(home("lisbon"), 1, [(known, home("lisbon"))]).item is known
    assert verdict(has("dogs"), 1, [(known, has("dog"))]).action == "reheat"


def test_told_with_an_earlier_beginning_it_holds_from_then() -> None:
    known = item("Alex lives in Lisbon", at=9)
    assert verdict(home("lisbon"), 2, [(known, home("lisbon"))]).begins == day(2)
    before = item("Alex lives in Porto", at=0, until=9)
    told = verdict(home("lisbon"), 2, [(before, home("porto")), (known, home("lisbon"))])
    assert told.begins is None  # Porto is known to have held then


def test_a_new_value_ends_the_old_one() -> None:
    old = item("Alex lives in Lisbon")
    found = verdict(home("berlin"), 5, [(old, home("lisbon"))])
    assert (found.action, found.ends, found.ended_by) == ("add", (old,), None)


def test_what_is_told_late_takes_its_place_in_time() -> None:
    first, last = item("Lisbon", at=0, until=20), item("Berlin", at=20)
    found = verdict(home("porto"), 10, [(first, home("lisbon")), (last, home("berlin"))])
    assert found.ends == (first,)
    assert found.ended_by is last


def test_many_values_may_hold_at_once() -> None:
    assert verdict(has("cat"), 5, [(item("dog"), has("dog"))]).ends == ()


@pytest.mark.parametrize(
    ("known", "told"), [("dog named rex", "dog"), ("dog", "dog named rex"), ("dog", "dogs"), ("dog", "")]
)
def test_a_denial_ends_what_it_denies(known: str, told: str) -> None:
    old = item("has a dog")
    found = verdict(has(told, negated=True), 5, [(old, has(known))])
    assert (found.action, found.ends) == ("add", (old,))
    assert verdict(has("cat", negated=True), 5, [(old, has(known))]).ends == ()


def test_what_was_denied_can_be_so_again() -> None:
    denied = item("does not have a dog")
    assert verdict(has("dog"), 5, [(denied, has("dog", negated=True))]).ends == (denied,)


def test_a_denial_that_was_known_before_ends_what_is_told_late() -> None:
    denied = item("no dog any more", at=9)
    assert verdict(has("dog"), 3, [(denied, has("dog", negated=True))]).ended_by is denied


def test_more_detail_refines_and_less_only_warms() -> None:
    known = item("has a dog")
    assert verdict(has("dog named rex"), 5, [(known, has("dog"))]).action == "refine"
    assert verdict(has("dog"), 5, [(known, has("dog named rex"))]).action == "reheat"
    assert verdict(has("dog house"), 5, [(known, has("dog"))]).action == "add"


def test_another_kind_or_agent_keeps_its_own() -> None:
    known = item("likes tea", kind="preference")
    claim = Claim("", "likes", "tea")
    assert verdict(claim, 5, [(known, claim)]).action == "add"
    theirs = item("Alex lives in Lisbon", agent="voxa")
    assert verdict(home("lisbon"), 5, [(theirs, home("lisbon"))], agent="other").action == "add"
    assert verdict(home("berlin"), 5, [(theirs, home("lisbon"))], agent="other").ends == ()
    assert verdict(home("berlin"), 5, [(theirs, home("lisbon"))]).ends == (theirs,)


def test_one_of_several_things_that_were_told_together_ends_nothing_else() -> None:
    told = item("is allergic to nuts, shellfish, and eggs")
    allergic = Claim("", "allergic", "nuts, shellfish, and eggs")
    assert verdict(Claim("", "allergic", "eggs", negated=True), 5, [(told, allergic)]).ends == ()
    assert verdict(Claim("", "allergic", "nuts, shellfish, and eggs", negated=True), 5, [(told, allergic)]).ends == (
        told,
    )


def test_a_neighbour_in_nearly_the_same_words_is_the_same() -> None:
    near = item("said!")
    assert verdict(None, 5, [], near=[Near(near, 0.97)]).item is near
    assert verdict(None, 5, [], near=[Near(near, 0.9)]).action == "add"
    assert verdict(None, 5, [], near=[Near(item("said!", kind="decision"), 0.97)]).action == "add"
    assert verdict(None, 5, [], near=[Near(item("said!", until=4), 0.97)]).action == "add"
    assert verdict(home("lisbon"), 5, [], near=[Near(near, 0.97, home("lisbon", negated=True))]).action == "add"


def test_what_ended_is_not_warmed_by_being_told_again() -> None:
    over = item("Alex lives in Lisbon", until=3)
    assert verdict(home("lisbon"), 5, [(over, home("lisbon"))]).action == "add"
