"""What is said for the sake of saying something: out of its conversation it tells nobody anything."""

from emberkeep.language.terms import words

_MOST_CHARS = 80  # who says so little with more words repeats themselves
_SAID = frozenset(
    """
    ok okay okey k kk yes yeah yep yup yea ya aye nope nah sure right alright fine good well cool great nice awesome
    perfect wonderful amazing lovely excellent fantastic brilliant super sweet neat wow whoa yay woohoo
    thanks thank thx ty tysm cheers welcome please sorry pardon np
    hi hello hey hiya heya yo bye goodbye goodnight night morning afternoon evening later soon see
    lol lmao rofl haha hahaha hahahaha hehe heh ha hmm hm mhm mm uh um er oh ooh ah aha aww aw
    gotcha got indeed exactly totally absolutely definitely certainly true really agreed noted done understood
    sounds like much lot lots problem worries
    """.split()
)


def is_small_talk(text: str) -> bool:
    """Whether a text is thanks, a greeting, a yes or a laugh, and nothing else."""
    said = list(words(text)) if len(text) <= _MOST_CHARS else []
    return bool(said) and all(word in _SAID for word in said)
