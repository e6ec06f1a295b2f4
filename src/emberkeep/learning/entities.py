"""Names in a text: people, places, organisations, products."""

import re

# A word, a number, a possessive "'s", or any other single character.
_RUN = re.compile(r"[^\W\d_][\w&+#./-]*(?:['’](?!s\b)\w+)?|\d[\w.-]*|['’]s\b|\S")
# Small words inside names, dropped from their ends.
_LINKS = frozenset("of de la van von der den da di du le bin al and the".split())
# Words that are no names even with a capital.
_COMMON = frozenset(
    """
    the a an i my our his her their its he she they it we you this that these those there in on at for from to with and
    but or so if when while since until after before as by no not user monday tuesday wednesday thursday friday saturday
    sunday january february march april may june july august september october november december every each one both
    everything everyone nobody someone please is are was were do does did has have had will would can could about name
    """.split()
)


def entities_of(text: str) -> tuple[str, ...]:
    """Return the names in a text, in order, each once."""
    found: list[str] = []
    run: list[str] = []
    for index, word in enumerate([*_RUN.findall(text), ""]):
        if _is_named(word, first=index == 0) or (run and word.isdigit() and run[-1][0].isupper()):
            run.append(word.rstrip(".-/"))
            continue
        if run and word in ("of", "de", "van", "von", "la", "del", "da", "di"):
            run.append(word)
            continue
        while run and run[-1].lower() in _LINKS:
            run.pop()
        if run:
            found.append(" ".join(run))
        run = []
    return tuple(dict.fromkeys(found))


def _is_named(word: str, *, first: bool) -> bool:
    """Return whether a word is written like a name: "Rome", "iPhone"."""
    if not word or word.lower() in _COMMON or not word[0].isalpha():
        return False
    if word[0].isupper():
        return not first or len(word) > 1
    return any(letter.isupper() for letter in word)
