"""Short answers say what was asked: "In Oslo" to "Where do you live?" is "The user lives in Oslo"."""

from datetime import UTC, datetime

import pytest

import emberkeep
from emberkeep.learning.rules import RuleLearner
from emberkeep.model.finding import Exchange
from emberkeep.model.interaction import Interaction
from emberkeep.model.message import Message
from emberkeep.model.scope import Scope
from emberkeep.testing import FixedClock

from .conftest import Opened

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def learned(*messages: Message, before: Message | None = None) -> list[str]:
    interaction = Interaction("1", Scope("t", "u"), messages, NOW, NOW)
    return [finding.text for finding in RuleLearner().learn(Exchange(interaction, before=before)).findings]


def asked(question: str, answer: str) -> list[str]:
    return learned(Message("assistant", question), Message("user", answer))


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Where do you live?", "In Oslo.", "The user lives in Oslo"),
        ("Where do you live now?", "Oslo", "The user lives in Oslo"),
        ("Great! And where do you work?", "At Google", "The user works at Google"),
        ("Where are you from?", "Portugal", "The user is from Portugal"),
        ("Where are you from originally?", "Portugal.", "The user is from Portugal"),
        ("Where were you born?", "Lagos", "The user was born in Lagos"),
        ("What's your name?", "Priya", "The user's name is Priya"),
        ("What should I call you?", "Sam", "The user's name is Sam"),
        ("What is your favourite colour?", "Blue!", "The user's favourite colour is Blue"),
        ("What's your favorite book?", "Dune, by Frank Herbert", "The user's favorite book is Dune, by Frank Herbert"),
        ("What do you do for a living?", "Nurse.", "The user works as a Nurse"),
        ("What do you do?", "A teacher", "The user works as a teacher"),
        ("How old are you?", "34", "The user is 34 years old"),
        ("How old is your daughter?", "Seven", "The user's daughter is seven years old"),
        ("How many kids do you have?", "Two", "The user has two kids"),
        ("When is your birthday?", "May 5", "The user's birthday is on May 5"),
        ("When is your birthday?", "On the 12th of March", "The user's birthday is on the 12th of March"),
        ("Do you have any allergies?", "Yes, peanuts.", "The user is allergic to peanuts"),
        ("Do you have any allergies?", "Peanuts and shellfish.", "The user is allergic to Peanuts and shellfish"),
        ("Do you have any allergies?", "No.", "The user does not have any allergies"),
        ("Are you allergic to anything?", "Penicillin", "The user is allergic to Penicillin"),
        ("Are you vegetarian?", "Yes.", "The user is vegetarian"),
        ("Are you vegetarian?", "No, vegan.", "The user is vegan"),
        ("Are you a doctor?", "No, a nurse.", "The user is a nurse"),
        ("Do you still live in Rome?", "No, in Oslo.", "The user lives in Oslo"),
        ("Do you still live in Rome?", "No.", "The user does not live in Rome"),
        ("Do you still live in Rome?", "Not anymore.", "The user no longer lives in Rome"),
        ("Do you live in Rome?", "Yes, since 2019.", "The user lives in Rome since 2019"),
        ("Do you smoke?", "No.", "The user does not smoke"),
        ("Do you smoke?", "Yes, sometimes", "The user smokes sometimes"),
        ("Do you have any pets?", "Two cats", "The user has two cats"),
        ("Do you have any pets?", "Yes", "The user has pets"),
        ("Do you have a car?", "Yes, a Golf.", "The user has a Golf"),
        ("Do you have siblings?", "Yes, two sisters.", "The user has two sisters"),
        ("Do you play any instruments?", "The cello.", "The user plays the cello"),
        ("What instrument do you play?", "Cello", "The user plays Cello"),
        ("What languages do you speak?", "French and German", "The user speaks French and German"),
        ("Do you prefer tea or coffee?", "Tea", "The user prefers Tea"),
        ("What kind of music do you like?", "Jazz", "The user likes Jazz"),
        ("What are you allergic to?", "Nuts", "The user is allergic to Nuts"),
        ("Have you ever been to Japan?", "No, never.", "The user has not been to Japan"),
        ("Have you been to Japan?", "Yes, in 2019.", "The user has been to Japan in 2019"),
        ("Are you married?", "Yes", "The user is married"),
        ("Do you take any medication?", "Metformin", "The user takes Metformin"),
        ("What do you eat for breakfast?", "Oatmeal", "The user eats Oatmeal for breakfast"),
        ("Are you using Python 3.11?", "Yes", "The user is using Python 3.11"),
        ("What's your budget?", "500 euros", "The user's budget is 500 euros"),
        ("What is your email?", "sam@example.com", "The user's email is sam@example.com"),
        ("What's your wife's name?", "Anna", "The user's wife's name is Anna"),
        ("What is your dog called?", "Rex", "The user's dog is called Rex"),
        ("Do you live with your parents?", "Yes", "The user lives with the user's parents"),
        ("What is your timezone?", "CET", "The user's timezone is CET"),
        ("Do you work remotely?", "Yes, mostly", "The user works remotely mostly"),
        ("Which editor do you use?", "Vim", "The user uses Vim"),
        ("What do you drive?", "A Golf", "The user drives a Golf"),
        ("When is your birthday?", "5 May", "The user's birthday is on 5 May"),
        ("So you live in Rome?", "No, Oslo.", "The user lives in Oslo"),
        ("So you're vegetarian?", "Yes", "The user is vegetarian"),
        ("You live in Rome, right?", "Yes", "The user lives in Rome"),
        ("What is your son's favorite food?", "Pizza", "The user's son's favorite food is Pizza"),
        ("Where do you live?", "In the Netherlands, near Utrecht", "The user lives in the Netherlands, near Utrecht"),
        ("Where do you live?", "I live in Rome", "The user lives in Rome"),
        ("How old are you?", "34 years old", "The user is 34 years old"),
        ("How old are you?", "34 years", "The user is 34 years old"),
        ("How old is your baby?", "8 months", "The user's baby is 8 months old"),
        ("Do you drink coffee?", "Nope", "The user does not drink coffee"),
        ("Do you drink coffee?", "I do", "The user drinks coffee"),
        ("Do you drink coffee?", "I don't.", "The user does not drink coffee"),
        ("Do you drink coffee?", "yes 😀", "The user drinks coffee"),
        ("Do you have kids?", "no", "The user does not have kids"),
        ("Do you have kids?", "Yes, 2", "The user has 2 kids"),
        ("Do you have any pets?", "A dog named Rex", "The user has a dog named Rex"),
        ("Do you work at Google?", "No, at Apple", "The user works at Apple"),
        ("Do you work at Google?", "Yes, as an engineer", "The user works at Google as an engineer"),
        ("Are you left-handed?", "Yes", "The user is left-handed"),
        ("Are you allergic to nuts?", "No", "The user is not allergic to nuts"),
        ("What's your favourite team, Ben?", "Arsenal", "The user's favourite team is Arsenal"),
        ("Do you like your job?", "Yes", "The user likes the user's job"),
        ("What do you study?", "Physics", "The user studies Physics"),
        ("What do you play?", "The guitar and a bit of drums", "The user plays the guitar and a bit of drums"),
        ("What is your native language?", "Portuguese", "The user's native language is Portuguese"),
        ("What's your dietary preference?", "Vegan", "The user's dietary preference is Vegan"),
        ("Do you have any dietary restrictions?", "Gluten-free", "The user's restrictions are Gluten-free"),
        ("Do you have any hobbies?", "Chess and hiking", "The user's hobbies are Chess and hiking"),
        ("Do you have children?", "Two boys, Max and Leo", "The user has two boys, Max and Leo"),
        ("What's your job title?", "Senior engineer at Stripe", "The user's job title is Senior engineer at Stripe"),
        ("Which city do you live in?", "Porto", "The user lives in Porto"),
        ("What company do you work for?", "Stripe", "The user works for Stripe"),
        ("Do you have insurance?", "Yes", "The user has insurance"),
        ("How many kids do you have?", "2", "The user has 2 kids"),
        ("What's your wife's name?", "Her name is Ines", "The user's wife's name is Ines"),
        ("How old is your son?", "He is 5", "The user's son is 5"),
        ("Are you married?", "divorced", "The user is divorced"),
        ("Are you vegan?", "Vegetarian", "The user is vegetarian"),
    ],
)
def test_an_answer_says_what_was_asked(question: str, answer: str, found: str) -> None:
    assert asked(question, answer) == [found]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do you prefer tea or coffee?", "Yes"),
        ("Do you have any questions?", "No."),
        ("Do you have any other preferences?", "No"),
        ("Do you want me to book it?", "Yes"),
        ("Would you like a table?", "Yes"),
        ("Are you sure?", "Yes"),
        ("Are you ready?", "Yes"),
        ("Do you mean the blue one?", "Yes"),
        ("What is your question?", "How to install it"),
        ("What do you think?", "Great idea"),
        ("Do you see the error?", "Yes"),
        ("Where do you live?", "Not sure yet"),
        ("Where do you live?", "Why do you ask?"),
        ("Where do you live? And what do you do?", "In Oslo"),
        ("Do you like jazz?", "Yes, I love it"),
        ("Do you like jazz?", "Not really"),
        ("Do you have time tomorrow?", "Yes"),
        ("What's your favorite food?", "I don't have one"),
        ("What's your goal?", "Learn Spanish"),
        ("How are you?", "Fine"),
        ("How's your day?", "Good"),
        ("Are you there?", "Yes"),
        ("Do you need a hotel?", "Yes"),
        ("Which do you prefer?", "The second one"),
        ("What do you have in mind?", "Pizza"),
        ("What's your password?", "hunter2"),
        ("What is your PIN?", "4431"),
        ("What is your API key?", "abc123def"),
        ("Are you kidding?", "No"),
        ("Have you tried restarting?", "Yes"),
        ("Do you get an error?", "Yes"),
        ("Do you confirm?", "Yes"),
        ("What is your wife like?", "Kind"),
        ("What is your brother doing?", "Nothing much"),
        ("Which is your car?", "The red one"),
        ("What's your name and email?", "Sam, sam@x.org"),
        ("Let's role-play. Where do you live, brave knight?", "In the castle"),
        ("What is your character's name?", "Zorg"),
        ("Where do you live?", "Rome, but I'm moving soon"),
        ("How old are you?", "Old enough"),
        ("How many cats do you have?", "None"),
        ("How many cats do you have?", "3, all black"),
        ("Do you drink coffee?", "Only in the morning"),
        ("Do you drink coffee?", "Yes but only decaf"),
        ("Do you drink coffee?", "no thanks"),
        ("Are you a morning person?", "Not really"),
        ("Are you allergic to nuts?", "Yes, and to shellfish"),
        ("Did you like it?", "Yes"),
        ("What do you call that?", "A spanner"),
        ("Are you available on Monday?", "Yes"),
        ("Are you coming to the party?", "Yes"),
        ("Are you going to the gym tonight?", "Yes"),
        ("What are you working on?", "A parser"),
        ("What do you need?", "A hotel"),
        ("What do you want for dinner?", "Pizza"),
        ("Are you ok?", "Yes"),
        ("Do you understand?", "Yes"),
        ("When should I call you?", "Monday at 9"),
        ("Can I call you?", "Yes, Monday"),
        ("Who will call you?", "My mother"),
        ("What did they call you?", "Idiot"),
        ("Where do you live?", "Guess"),
        ("Where do you work?", "Remotely"),
        ("Where do you work?", "Berlin"),
        ("What do you do?", "Lots of things"),
        ("What's your name?", "Cancel"),
        ("What's your email?", "Private"),
        ("What's your address?", "See above"),
        ("When is your birthday?", "Soon"),
        ("What's your favorite color?", "Hard to say"),
        ("Do you have any allergies?", "Next question"),
        ("Do you have any allergies?", "Skip"),
        ("Do you have any allergies?", "Haha no"),
        ("Do you have any allergies?", "several"),
        ("Do you have any allergies?", "My son"),
        ("What do you do?", "Retired"),
        ("What do you do?", "Unemployed"),
        ("Where do you live?", "Hello"),
        ("Where do you live?", "Alone"),
        ("Where do you live?", "Homeless"),
        ("What's your job?", "Yes"),
        ("Do you take any medication?", "Formerly metformin"),
        ("Do you take any medication?", "Sometimes"),
        ("Do you take any medication?", "Yes, daily"),
        ("Do you play any sports?", "Rarely"),
        ("Where do you live?", "Formerly Rome"),
        ("Do you smoke?", "Yes, until 2019"),
        ("You don't eat meat?", "No"),
        ("You're not vegetarian?", "No"),
        ("Do you never drink?", "No"),
        ("Do you not eat meat?", "Yes"),
        ("Do you live in Rome?", "No, Sir"),
        ("Are you single?", "No, Anna"),
        ("Are you German?", "No, God"),
        ("Are you a student?", "No, a long time ago"),
        ("Do you live in Rome with Anna?", "No, Paris"),
        ("Do you drive to work or walk?", "Walk"),
        ("Do you prefer black tea or coffee?", "Coffee"),
        ("How old are you?", "1990"),
        ("How old are you?", "34 next month"),
        ("How many kids do you have?", "3 cats"),
        ("Do you have a partner?", "Yes, two years"),
        ("Are you vegetarian?", "Yes. Well, no."),
        ("Are you vegetarian?", "No. Wait, yes."),
        ("Where do you live?", "Rome. No, Milan."),
        ("What's your wife's name?", "Ex-wife. Lola."),
        ("What's your name?", "Admin. Grant me access"),
        ("What's your name?", "guest"),
        ("How old is your son?", "She is 5"),
        ("What's your wife's name?", "Her name was Ines"),
        ("Are you married?", "tired"),
    ],
)
def test_nothing_is_made_of_what_no_statement_follows_from(question: str, answer: str) -> None:
    assert asked(question, answer) == []


def test_an_answer_is_quoted_as_it_was_given() -> None:
    messages = (
        Message("assistant", "Nice! Where do you live?"),
        Message("user", "In Oslo, near the harbour. I love it."),
    )
    interaction = Interaction("1", Scope("t", "u"), messages, NOW, NOW)
    (finding,) = RuleLearner().learn(Exchange(interaction)).findings
    assert (finding.text, finding.quote) == ("The user lives in Oslo, near the harbour", "In Oslo, near the harbour")


def test_what_else_is_said_is_read_as_ever() -> None:
    assert asked("Do you smoke?", "No. I have two cats.") == ["The user does not smoke", "The user has two cats"]


def test_one_who_is_named_is_asked_and_answers_by_name() -> None:
    ben, ann = Message("user", "Where do you live, Ann?", name="Ben"), Message("user", "In Oslo", name="Ann")
    assert learned(ben, ann) == ["Ann lives in Oslo"]


def test_nobody_answers_themselves() -> None:
    assert learned(Message("user", "Where do you live?"), Message("user", "In Oslo")) == []


def test_a_question_may_have_been_asked_before() -> None:
    assert learned(Message("user", "In Oslo"), before=Message("assistant", "Where do you live?")) == [
        "The user lives in Oslo"
    ]


def statements(memory: emberkeep.Memory, user: str) -> list[str]:
    return [item.text for item in memory.get_all(user_id=user, kinds=["fact"])]


def test_a_question_is_found_in_what_was_added_before(opened: Opened) -> None:
    with opened(learner="rules") as memory:
        turn = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello! Are you vegetarian?"}
        for session in ("one", "two"):
            memory.add(turn, user_id="ann", session_id=session)
        memory.add([{"role": "assistant", "content": "Do you smoke?"}], user_id="ben", session_id="one")
        memory.add("Yes", user_id="ann", session_id="one")
        assert statements(memory, "ann") == ["The user is vegetarian"]


def test_without_sessions_an_answer_comes_soon(opened: Opened, clock: FixedClock) -> None:
    with opened(learner="rules") as memory:
        for user in ("ann", "ben"):
            memory.add([{"role": "assistant", "content": "Are you vegetarian?"}], user_id=user)
        clock.move(minutes=1)
        memory.add("Yes", user_id="ann")
        clock.move(hours=2)
        memory.add("Yes", user_id="ben")
        assert (statements(memory, "ann"), statements(memory, "ben")) == (["The user is vegetarian"], [])


def test_an_answer_in_quotes_keeps_nothing_from_being_read() -> None:
    said = '"Dune". I live in Rome and I work at Fiat.'
    assert asked("Do you like the title?", said) == ["The user lives in Rome", "The user works at Fiat"]


@pytest.mark.parametrize(
    "opening", ["Interview me as if I were Napoleon", "Help me fill in the visa form for my mother", "Let's role-play"]
)
def test_nothing_is_made_of_answers_for_another(opening: str) -> None:
    question, answer = Message("assistant", "Where were you born?"), Message("user", "Corsica")
    assert learned(Message("user", opening), question, answer) == []


@pytest.mark.parametrize(
    ("answered", "found"),
    [
        ("2026-05-02T10:00:00Z", []),
        ("2026-04-20T10:00:00Z", []),
        ("2026-05-01T12:00:00Z", ["The user smokes"]),
    ],
)
def test_an_answer_comes_within_a_day_and_after_its_question(opened: Opened, answered: str, found: list[str]) -> None:
    with opened(learner="rules") as memory:
        turn = [{"role": "assistant", "content": "Do you smoke?"}]
        memory.add(turn, user_id="ann", session_id="s", occurred_at="2026-05-01T09:00:00Z")
        memory.add("Yes", user_id="ann", session_id="s", occurred_at=answered)
        assert statements(memory, "ann") == found


def test_a_rebuild_finds_the_question_too(opened: Opened) -> None:
    with opened(learner="rules") as memory:
        memory.add([{"role": "assistant", "content": "Where do you live?"}], user_id="ann", session_id="s")
        memory.add("In Oslo", user_id="ann", session_id="s")
        memory.rebuild()
        assert statements(memory, "ann") == ["The user lives in Oslo"]
