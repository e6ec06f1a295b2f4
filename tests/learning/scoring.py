"""How well a learner does on labelled sentences."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from emberkeep.model.finding import Exchange, Finding
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope
from emberkeep.providers.base import Learner

HERE = Path(__file__).parent
FIRST_PERSON = re.compile(r"\b(?:I|my|we|our|me|us|mine)\b", re.IGNORECASE)


@dataclass
class Score:
    """Counts over some items."""

    right: int = 0
    found: int = 0
    matched: int = 0
    labels: int = 0
    mistakes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.matched / self.labels if self.labels else 1.0

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f} ({self.right}/{self.found})  "
            f"recall {self.recall:.3f} ({self.matched}/{self.labels})"
        )


def load(name: str) -> list[dict[str, Any]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def exchange_of(item: dict[str, Any]) -> Exchange:
    at = datetime.fromisoformat(item["at"])
    message = Message(item["role"], item["said"], name=item["name"])
    return Exchange(Interaction(item["id"], Scope("t", "u"), (message,), at, at, (), {}))


def matches(finding: Finding, label: dict[str, Any]) -> bool:
    text = finding.text.lower()
    if finding.kind != label["kind"] or FIRST_PERSON.search(finding.text):
        return False
    if label["tags"] is not None and sorted(finding.tags) != sorted(label["tags"]):
        return False
    if not all(part.lower() in text for part in label["has"]):
        return False
    said = label["on"]
    return said in (None, "any") or (finding.occurred_at is not None and finding.occurred_at.date().isoformat() == said)


def score(learner: Learner, items: Iterable[dict[str, Any]]) -> dict[str, Score]:
    """The scores by domain, and "all"."""
    scores: dict[str, Score] = defaultdict(Score)
    for item in items:
        findings = learner.learn(exchange_of(item)).findings
        for domain in (item["domain"], "all"):
            _count(scores[domain], item, findings)
    return dict(scores)


def _count(to: Score, item: dict[str, Any], findings: tuple[Finding, ...]) -> None:
    open_labels = list(item["found"])
    to.labels += sum(not label.get("optional") for label in open_labels)
    for finding in findings:
        hits = [label for label in open_labels if matches(finding, label)]
        hit = min(hits, key=lambda label: bool(label.get("optional")), default=None)
        if hit is None:
            to.found += 1
            to.mistakes.append(
                f"{item['id']}: wrong {finding.kind} {list(finding.tags)} {finding.text!r} {finding.occurred_at}"
            )
            continue
        open_labels.remove(hit)
        if not hit.get("optional"):
            to.found += 1
            to.right += 1
            to.matched += 1
    to.mistakes.extend(
        f"{item['id']}: missed {label['kind']} {label['tags']} {label['has']} {label['on']} in {item['said']!r}"
        for label in open_labels
        if not label.get("optional")
    )
