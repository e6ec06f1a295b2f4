"""A long conversation in which thirty things change, in the words that people use."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Changed:
    """Something told once, told otherwise later, and asked about in the end."""

    first: str
    then: str
    question: str
    old: str
    new: str


CHANGES = (
    Changed("I live in Lisbon.", "We moved to Berlin last week.", "Where does Alex live now?", "Lisbon", "Berlin"),
    Changed("I work at Acme.", "I started a new job at Globex.", "Which company does Alex work for?", "Acme", "Globex"),
    Changed("My favourite colour is green.", "My favourite colour is blue now.", "favourite colour", "green", "blue"),
    Changed("My favorite band is Pulp.", "My favorite band is Blur these days.", "favorite band", "Pulp", "Blur"),
    Changed("I'm vegetarian.", "I'm vegan now.", "What is Alex's diet?", "vegetarian", "vegan"),
    Changed("My phone number is 555-0134.", "My new phone number is 555-0199.", "phone number", "0134", "0199"),
    Changed(
        "My email is alex@old.example.", "My email is now alex@new.example.", "email address", "old.exa", "new.exa"
    ),
    Changed("I drive a Volvo.", "I drive a Tesla now.", "Which car does Alex drive?", "Volvo", "Tesla"),
    Changed(
        "I have a dog named Rex.", "I don't have a dog any more.", "Does Alex have a dog?", "Rex", "not have a dog"
    ),
    Changed(
        "My sister lives in Porto.", "My sister moved to Madrid.", "Where does Alex's sister live?", "Porto", "Madrid"
    ),
    Changed("My brother works at Initech.", "My brother works at Hooli now.", "brother's employer", "Initech", "Hooli"),
    Changed("My manager is Dana.", "My manager is Priya now.", "Who is Alex's manager?", "Dana", "Priya"),
    Changed("Our office is in Leeds.", "Our office moved to Bristol.", "Where is the office?", "Leeds", "Bristol"),
    Changed(
        "We use flake8 for linting.", "We switched to ruff for linting.", "What is used for linting?", "flake8", "ruff"
    ),
    Changed("Our API runs on Python 3.11.", "Our API runs on Python 3.13 now.", "Python version", "3.11", "3.13"),
    Changed(
        "The staging server runs PostgreSQL 15.",
        "The staging server runs PostgreSQL 17 now.",
        "staging PostgreSQL",
        "15",
        "17",
    ),
    Changed(
        "I love coffee.", "I can't stand coffee anymore.", "Does Alex like coffee?", "loves coffee", "stand coffee"
    ),
    Changed("I smoke.", "I quit smoking.", "Does Alex smoke?", "smokes", "quit"),
    Changed("I'm single.", "I'm married.", "Is Alex married?", "single", "married"),
    Changed("I'm 29 years old.", "I'm 30 years old now.", "How old is Alex?", "29", "30"),
    Changed("I play tennis.", "I no longer play tennis.", "Does Alex play tennis?", "Alex plays tennis", "no longer"),
    Changed("My doctor is Dr. Silva.", "My doctor is Dr. Weber now.", "Who is Alex's doctor?", "Silva", "Weber"),
    Changed("My bank is N26.", "My bank is Wise now.", "Which bank does Alex use?", "N26", "Wise"),
    Changed("I go to the gym on Mondays.", "I don't go to the gym anymore.", "gym", "on Mondays", "not go to the gym"),
    Changed(
        "My daughter goes to Elm School.", "My daughter goes to Oak School now.", "daughter's school", "Elm", "Oak"
    ),
    Changed(
        "I prefer email over calls.", "I prefer calls over email now.", "email or calls?", "email over", "calls over"
    ),
    Changed(
        "Our deployment day is Friday.", "Our deployment day is Tuesday now.", "deployment day", "Friday", "Tuesday"
    ),
    Changed(
        "My plan is the Basic plan.", "My plan is the Premium plan now.", "Which plan is Alex on?", "Basic", "Premium"
    ),
    Changed(
        "I'm allergic to peanuts.",
        "I'm not allergic to peanuts anymore.",
        "peanut allergy",
        "is allergic",
        "not allergic",
    ),
    Changed("My girlfriend's name is Olga.", "My girlfriend's name is Lea.", "girlfriend's name", "Olga", "Lea"),
)
CHATTER = (
    "What's the weather like today?",
    "Thanks, that helps!",
    "Can you set a timer for ten minutes?",
    "Hmm, I'm not sure about that.",
    "If it rains I might stay home.",
    "Could you explain how joins work?",
    "Good morning!",
    "Play some music please.",
    "That's funny.",
    "I'm tired.",
    "How long does rice take?",
    "Let me think about it.",
    "ok great",
    "Wait, what did you say?",
)


def exchanges() -> list[tuple[datetime, str]]:
    """Two hundred exchanges, a few hours apart: thirty told, small talk, thirty told otherwise, small talk."""
    said = [change.first for change in CHANGES]
    said += [CHATTER[n % len(CHATTER)] for n in range(70)]
    said += [change.then for change in CHANGES]
    said += [CHATTER[n % len(CHATTER)] for n in range(70)]
    return [(START + timedelta(hours=6 * n), text) for n, text in enumerate(said)]
