"""Small talk: messages that tell nobody anything outside their conversation."""

import re

_MOST_CHARS = 80  # a longer text of such words only repeats itself
# Words of small talk.
_SAID = frozenset(
    """
    ok okay okey k kk yes yeah yep yup yea ya aye nope nah sure right alright fine good cool great nice awesome
    perfect wonderful amazing lovely excellent fantastic brilliant super sweet neat wow whoa yay woohoo
    thanks thank thx ty tysm cheers welcome please sorry pardon np
    hi hello hey hiya heya yo bye goodbye goodnight night morning afternoon evening later soon see
    lol lmao rofl haha hahaha hahahaha hehe heh ha hmm hm mhm mm uh um er oh ooh ah aha aww aw
    gotcha indeed exactly totally absolutely definitely certainly true really agreed noted done understood
    sounds much lot lots worries
    """.split()
)


# Words that may stand with them. Other people or a "not" are missing here: with them a sentence says something.
_BESIDE = frozenset(
    "you so very that the a an and all to for me too no that's thats it's u ya just oh more again".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def is_small_talk(text: str) -> bool:
    """Return whether a text is thanks, a greeting, a yes or a laugh, and nothing else."""
    if len(text) > _MOST_CHARS:
        return False
    said = [word.replace("’", "'") for word in _WORD.findall(text.casefold())]
    return any(word in _SAID for word in said) and all(word in _SAID or word in _BESIDE for word in said)
