"""How tasks ended is kept, found again, and said before the next one starts."""

from collections.abc import Callable

import pytest

import emberkeep
from emberkeep.errors import Conflict, InvalidInput, NotFound, StoreUnavailable
from emberkeep.model.experience import Execution
from emberkeep.providers.local_embedder import LocalEmbedder
from emberkeep.testing import FixedClock, WordEmbedder
from emberkeep.work.patterns import Patterns

CODE = "def renew_certificate(domain: str) -> None:\n    certbot.renew(domain)\n    nginx.reload()"


@pytest.fixture
def memory(anywhere: Callable[..., emberkeep.Memory], clock: FixedClock) -> emberkeep.Memory:
    return anywhere(clock=clock, embedder=WordEmbedder())


def store(memory: emberkeep.Memory, task_id: str, summary: str, *, success: bool, **options: object) -> Execution:
    return memory.experience.store(task_id, summary, success, **options)  # type: ignore[arg-type]


def test_an_execution_is_kept_with_its_task(memory: emberkeep.Memory) -> None:
    made = memory.experience.store(
        "task-123", "Implemented JWT authentication with Redis", success=True, task_type="feature", user_id="alex"
    )
    assert memory.experience.get(made.id) == made
    assert (made.task_id, made.success, made.type, made.reused) == ("task-123", True, "feature", 0)
    assert memory.tasks.get("task-123").status == "succeeded"
    assert memory.experience.list(task_id="task-123") == [made]
    assert memory.experience.list(success=False) == []


def test_a_task_that_finishes_becomes_one_by_itself(memory: emberkeep.Memory) -> None:
    task = memory.tasks.start("Renew the certificate", agent_id="ops")
    memory.tasks.step(task.id, "shell", output="certbot renew", success=True)
    memory.tasks.step(task.id, "shell", output="Traceback\nPortError: port 80 in use, pid 4711", success=False)
    memory.tasks.step(task.id, "edit")
    memory.tasks.finish(task.id, success=False, summary="The port was taken")
    (made,) = memory.experience.list()
    assert (made.success, made.tools, made.agent_id) == (False, ("shell", "shell", "edit"), "ops")
    assert made.errors == ("PortError: port N in use, pid N",)
    (found,) = memory.experience.search_similar("renew the certificate", similarity_threshold=0.1)
    assert (found.task_id, found.memory_id, found.success) == (task.id, made.id, False)
    assert [one.record.id for one in memory.tasks.relevant("certificate")] == [task.id]
    assert len(memory.search("certificate", kinds=["execution"])) == 1


def test_a_cancelled_task_is_no_experience(memory: emberkeep.Memory) -> None:
    task = memory.tasks.start("Renew the certificate")
    memory.tasks.cancel(task.id)
    assert memory.experience.list() == []


def test_a_task_that_ends_twice_is_two_and_the_second_fixed_it(memory: emberkeep.Memory, clock: FixedClock) -> None:
    store(memory, "t", "Deploy failed: migration locked the table", success=False, error_patterns=["LockError"])
    clock.move(hours=1)
    store(memory, "t", "Deploy worked after stopping the writers first", success=True)
    assert len(memory.experience.list(task_id="t")) == 2
    said = memory.experience.warn("deploy the migration", min_similarity=0.05)
    assert said
    assert (said.failed, said.total) == (1, 2)
    assert said.risk == pytest.approx(0.5)
    assert said.fixes[0].summary == "Deploy worked after stopping the writers first"
    assert said.message.startswith("Something like this failed 1 of 2 times here, 1 of them with LockError.")
    assert "stopping the writers" in said.message


def test_errors_that_are_more_than_texts_are_kept_as_they_are_too(memory: emberkeep.Memory) -> None:
    given = {"type": "Timeout", "where": {"host": "db", "port": 5432}}
    texts = ("type: Timeout", 'where: {"host": "db", "port": 5432}')
    kept = store(memory, "t", "The migration hung", success=False, error_patterns=given)
    assert (kept.errors, kept.error_patterns) == (texts, given)
    again = memory.tasks.update("t", summary="The migration hung for an hour")
    (read,) = memory.experience.list(task_id=again.id)
    assert (read.errors, read.error_patterns) == (texts, given)
    memory.tasks.save("t", "Migrate", status="succeeded", summary="It went on after all")
    (read,) = memory.experience.list(task_id=again.id)
    assert (read.errors, read.error_patterns) == ((), None)
    long = store(memory, "u", "It broke", success=False, error_patterns=["x" * 70_000])
    assert long.error_patterns == ["x" * 200]
    assert store(memory, "v", "It broke", success=False, error_patterns=("A",)).error_patterns == ["A"]


def test_nothing_to_warn_of(memory: emberkeep.Memory) -> None:
    store(memory, "t", "Watered the tomatoes", success=True)
    said = memory.experience.warn("water the tomatoes")
    assert not said
    assert said.message == ""


def test_the_most_alike_come_first_and_only_successes_if_asked(memory: emberkeep.Memory) -> None:
    store(memory, "a", "Implemented OAuth2 authentication for the API", success=True)
    store(memory, "b", "Implemented OAuth2 authentication, tokens expired at once", success=False)
    store(memory, "c", "Painted the fence green", success=True)
    every = memory.experience.search_similar("OAuth2 authentication", similarity_threshold=0.2)
    assert {one.task_id for one in every} == {"a", "b"}
    well = memory.experience.search_similar("OAuth2 authentication", similarity_threshold=0.2, success_only=True)
    assert [one.task_id for one in well] == ["a"]
    assert memory.experience.search_similar("OAuth2 authentication", top_k=1, similarity_threshold=0.0)[0] in every
    assert memory.experience.search_similar("OAuth2", similarity_threshold=1.0) == []


@pytest.mark.parametrize(
    ("told", "like_it"),
    [
        ("Исправил вход в систему через OAuth", "Исправить вход"),
        ("修复登录错误", "修复 登录"),
        ("ログインを修正した", "ログインの修正"),
        ("تسجيل الدخول عبر الهاتف", "الدخول عبر الهاتف"),
        ("Διόρθωσα τη σύνδεση", "Διόρθωσα σύνδεση"),
    ],
)
def test_what_the_embedder_does_not_read_is_like_what_has_the_same_words(
    anywhere: Callable[..., emberkeep.Memory], told: str, like_it: str
) -> None:
    memory = anywhere(embedder=LocalEmbedder())
    memory.experience.store("t", told, True)
    memory.experience.store("other", "Implemented OAuth2 login", True)
    (same,) = memory.experience.search_similar(told, similarity_threshold=0.9)
    assert same.task_id == "t"
    assert same.similarity_score == pytest.approx(1.0)
    alike = memory.experience.search_similar(like_it, similarity_threshold=0.2)[0]
    assert alike.task_id == "t"
    assert alike.similarity_score < 1.0
    assert memory.experience.get_task_context(told).similar_tasks[0].task_id == "t"
    assert memory.experience.search_similar("OAuth2 認証を実装する", 1, 0.0)[0].task_id == "other"


def test_context_has_numbers_that_a_query_confirms(memory: emberkeep.Memory) -> None:
    for number in range(9):
        store(memory, f"ok{number}", f"Deploy the web shop release {number}", success=True)
    store(memory, "bad", "Deploy the web shop release ten", success=False, error_patterns=["DiskFull"])
    context = memory.experience.get_task_context("Deploy the web shop release", top_k=3)
    assert len(context.similar_tasks) == 3
    assert context.recommendations[0] == "9 of 10 similar tasks succeeded; the failure was DiskFull (1 of 1)."
    ended = [one.success for one in memory.experience.list()]
    assert (sum(ended), len(ended)) == (9, 10)
    handed_out = {one.memory_id for one in context.similar_tasks}
    assert {one.id for one in memory.experience.list() if one.reused == 1} == handed_out


def test_context_of_a_task_that_is_open(memory: emberkeep.Memory) -> None:
    store(memory, "old", "Deploy the web shop", success=True)
    task = memory.tasks.start("Deploy the web shop")
    context = memory.experience.get_task_context(task_id=task.id)
    assert [one.task_id for one in context.similar_tasks] == ["old"]


def test_code_and_words_find_each_other(memory: emberkeep.Memory) -> None:
    made = store(memory, "t", "The padlock in the browser is back", success=True, code=CODE)
    store(memory, "u", "Painted the fence", success=True, code="def paint(fence): fence.colour = green")
    by_code = memory.experience.search_similar("certbot.renew(domain)", similarity_threshold=0.0)
    by_words = memory.experience.search_similar("renew the certificate", similarity_threshold=0.0)
    by_summary = memory.experience.search_similar("padlock browser", similarity_threshold=0.0)
    assert [found[0].memory_id for found in (by_code, by_words, by_summary)] == [made.id] * 3
    assert len({one.memory_id for one in by_code}) == len(by_code)


def test_a_correction_of_a_finished_task_is_found(memory: emberkeep.Memory) -> None:
    task = memory.tasks.start("Count the sheep")
    memory.tasks.finish(task.id, success=True, summary="Seven")
    memory.tasks.update(task.id, summary="Eight, one was hiding")
    (made,) = memory.experience.list()
    assert made.summary == "Eight, one was hiding"
    assert memory.search("sheep hiding", kinds=["execution"])[0].text == "Count the sheep: Eight, one was hiding"


def test_a_reopened_task_ends_again(memory: emberkeep.Memory) -> None:
    task = memory.tasks.start("Count the sheep", id="sheep")
    memory.tasks.finish(task.id, success=False, summary="Fell asleep")
    memory.tasks.save("sheep", "Count the sheep", status="running")
    memory.tasks.finish("sheep", success=True, summary="Seven")
    assert [one.success for one in memory.experience.list(task_id="sheep")] == [True, False]


def test_deleting_a_task_removes_how_it_ended(memory: emberkeep.Memory) -> None:
    store(memory, "t", "Deploy the zebra", success=True, code="zebra()")
    memory.tasks.delete("t")
    assert memory.experience.list() == []
    assert list(memory.search("zebra")) == []


def test_deleting_an_execution_leaves_the_task(memory: emberkeep.Memory) -> None:
    made = store(memory, "t", "Deploy the zebra", success=True, code="zebra()")
    assert memory.experience.delete(made.id).rows["executions"] == 1
    assert memory.tasks.get("t").status == "succeeded"
    assert list(memory.search("zebra", kinds=["execution"])) == []


def test_each_user_has_their_own(memory: emberkeep.Memory) -> None:
    store(memory, "a", "Deploy the shop", success=False, user_id="alex")
    assert memory.experience.warn("deploy the shop", min_similarity=0.1, user_id="bo").total == 0
    assert memory.experience.warn("deploy the shop", min_similarity=0.1, user_id="alex").failed == 1
    with pytest.raises(Conflict, match="another user"):
        store(memory, "a", "Deploy the shop", success=True, user_id="bo")
    memory.delete_all(user_id="alex")
    assert memory.experience.list() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"success": None}, "success is None"),
        ({"success": "yes"}, "success is 'yes'"),
        ({"summary": " "}, "summary is empty"),
        ({"error_patterns": 7}, "error_patterns is 7"),
        ({"error_patterns": ["x"] * 21}, "21 error_patterns"),
        ({"task_id": " "}, "id is blank"),
        ({"auto_extract_patterns": 1}, "auto_extract_patterns is 1"),
    ],
)
def test_what_is_wrong_is_said(memory: emberkeep.Memory, options: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"task_id": "t", "summary": "x y", "success": True, **options}
    with pytest.raises(InvalidInput, match=message):
        memory.experience.store(**given)  # type: ignore[arg-type]
    assert memory.experience.list() == []


def test_bad_questions_are_refused(memory: emberkeep.Memory) -> None:
    with pytest.raises(InvalidInput, match="similarity_threshold"):
        memory.experience.search_similar("x", similarity_threshold=2)
    with pytest.raises(InvalidInput, match="either a description or a task_id"):
        memory.experience.get_task_context()
    with pytest.raises(NotFound, match="no task"):
        memory.experience.get_task_context(task_id="nowhere")
    with pytest.raises(InvalidInput, match="unknown filter"):
        memory.experience.warn("x", colour="red")  # type: ignore[call-arg]


def test_a_corrected_outcome_corrects_what_is_said(memory: emberkeep.Memory) -> None:
    memory.tasks.save("d", "Deploy the shop", status="failed", summary="no answer")
    memory.tasks.save("d", "Deploy the shop", status="succeeded", summary="it answered after all")
    (made,) = memory.experience.list()
    assert (made.success, made.summary) == (True, "it answered after all")
    assert not memory.experience.warn("deploy the shop", min_similarity=0.1)


def test_a_retry_has_only_its_own_steps(memory: emberkeep.Memory) -> None:
    task = memory.tasks.start("Push the release", id="p")
    memory.tasks.step(task.id, "push", output="boom", success=False)
    memory.tasks.finish(task.id, success=False, summary="It broke")
    memory.tasks.save("p", "Push the release", status="running")
    memory.tasks.step("p", "wait")
    memory.tasks.step("p", "push")
    memory.tasks.finish("p", success=True, summary="It went through")
    again, first = memory.experience.list(task_id="p")
    assert (first.tools, first.errors) == (("push",), ("boom",))
    assert (again.tools, again.errors) == (("wait", "push"), ())


def test_successes_are_found_behind_many_failures(memory: emberkeep.Memory, clock: FixedClock) -> None:
    for number in range(60):
        store(memory, f"bad{number}", "deploy the web shop", success=False)
    clock.move(hours=1)
    store(memory, "good", "deploy the web shop with a canary", success=True)
    (found,) = memory.experience.search_similar("deploy the web shop", 5, 0.3, True)
    assert found.task_id == "good"
    said = memory.experience.warn("deploy the web shop")
    assert (said.failed, said.total) == (20, 20)
    assert "of the 20 most similar times" in said.message
    assert [fix.task_id for fix in said.fixes] == ["good"]


def test_a_type_that_is_too_long_is_refused(memory: emberkeep.Memory) -> None:
    with pytest.raises(InvalidInput, match="task_type has 201 characters"):
        store(memory, "t", "x y", success=True, task_type="t" * 201)
    for bad in ("abc", None, 5):
        with pytest.raises(InvalidInput, match="memory_ids"):
            memory.experience.used(bad)  # type: ignore[arg-type]


def test_errors_are_no_bytes(stored: emberkeep.Memory) -> None:
    with pytest.raises(InvalidInput, match="error_patterns"):
        store(stored, "t", "x y", success=False, error_patterns=b"ab")


def test_a_store_that_fails_while_patterns_are_looked_for_denies_nothing_and_is_said(
    memory: emberkeep.Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    monkeypatch.setattr(Patterns, "learn_from", fail)
    kept = store(memory, "deploy", "Shipped it", success=True)
    assert memory.experience.get(kept.id) == kept
    assert "now the store failed: the disk is full" in caplog.text
