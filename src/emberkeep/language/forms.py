"""The words and patterns in which people give dates: what may be a date, not what it means."""

import re

from emberkeep.language.feasts import FEASTS

MONTHS = "january february march april may june july august september october november december".split()
SHORT = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
# Shortened names, written with or without a full stop.
SHORT_MONTHS = dict(zip(SHORT, MONTHS, strict=True)) | {"sept": "september"}
SHORT_DAYS = {day[:3]: day for day in DAYS} | {"tues": "tuesday", "thur": "thursday", "thurs": "thursday"}
# The first month of each season.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
# Numbers as words, with the number that vague ones stand for.
NUMBERS = {
    word: number
    for number, words in enumerate(
        "zero one|a|an two three|few|several four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
    for word in words.split("|")
} | {"a couple of": 2, "a couple": 2, "couple of": 2, "a few": 3, "a dozen": 12, "thirty": 30, "forty": 40, "fifty": 50}

NUMBER = r"(?:\d{1,3}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
MONTH = "(?:" + "|".join(MONTHS) + "|(?:" + "|".join(SHORT) + r"|sept)\b\.?)"
DAY = "(?:" + "|".join(DAYS) + ")"
_DAY_OR_SHORT = rf"(?:{DAY}|(?:{'|'.join(SHORT_DAYS)})\b\.?)"
# An optional day of the week before a date: "Fri, ".
_ON_DAY = rf"(?:{_DAY_OR_SHORT},? )?"
SEASON = "(?:" + "|".join(SEASONS) + ")"
FEAST = "(?:" + "|".join(sorted(FEASTS, key=len, reverse=True)) + ")"
YEAR = r"(?:19|20)\d\d"
# Units after which a number is no year: "in 2000 ms".
COUNTED = (
    "(?:ms|milliseconds|sec|secs|seconds|minutes|hours|bytes|kb|mb|gb|px|pixels|users|people|euros?|dollars|usd|eur|pounds|steps"
    "|miles|km|meters|metres|kg|calories|kcal|words|lines|rows|tokens|items|requests|points|mah|watts|units|pieces|copies)"
)
PART = r"(?: (?:morning|afternoon|evening|night))?"
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
# Positions of days or weeks in a month.
WHICH = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
ORDINAL = rf"(?:(?:twenty|thirty)[- ](?:{'|'.join(ORDINALS[:9])})|{'|'.join(ORDINALS)}|thirtieth)"
# A day of the month: "3rd", "third", "3".
NTH = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{ORDINAL})"
LONG_UNIT = "(?:day|week|fortnight|month|year|decade)s?"
# Words after "the 3rd" that let it be a date.
_AFTER_NTH = "(?:at|and|to|until|till|with|for|in|from|by|because|so|but|or|around)"
UNIT = f"(?:hours?|{LONG_UNIT})"
# An optional word before a number: "about ".
HEDGE = r"(?:about |around |roughly |almost |nearly |over |more than |at least |just over |well over |some |exactly )?"
# Prepositions that stay before an absolute date.
KEPT = "since|until|till|by|before|after|from|for|to|through|between|and"
# The optional preposition before a date.
LEAD = rf"(?P<lead>(?:{KEPT}|on|in|within|at|over|during|around|starting|starting from|as of|back in|just) (?:the )?)?"

# The forms of dates by name; `reading.READERS` has a function for each.
FORMS = {
    "iso": rf"{_ON_DAY}{YEAR}-\d\d-\d\d",
    "slashed": rf"(?P<sl_a>\d{{1,2}})/(?P<sl_b>\d{{1,2}})(?:/(?P<sl_y>{YEAR}|\d\d))?",
    "near": rf"(?:the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow){PART}"
    r"|this (?:morning|afternoon|evening)|last night|(?:earlier|later) today",
    "ago": rf"{HEDGE}(?P<ago_n>{NUMBER}) (?P<ago_u>{UNIT})(?P<ago_h> and a half)? (?:ago|back|earlier)\b",
    "hence": rf"{HEDGE}(?P<hence_n>{NUMBER}) (?P<hence_u>{UNIT})(?:'s? time)?"
    r"(?P<hence_now> from (?:now|today))?",
    "weekday_of": rf"(?:the )?(?P<wo_n>{'|'.join(WHICH)}) (?P<wo_d>{DAY}) (?:of|in) (?P<wo_m>{MONTH})"
    rf"(?:,? (?P<wo_y>{YEAR}))?",
    "edge": r"(?P<edge_e>(?:the )?(?:end|start|beginning|middle|first half|second half) of) "
    rf"(?:(?P<edge_w>the|this|last|next) (?P<edge_u>week|month|year|quarter)"
    rf"|(?P<edge_m>{MONTH})(?: (?P<edge_y>{YEAR}))?|(?P<edge_yy>{YEAR}))",
    "turn": r"(?P<turn_e>early |late |earlier |later |sometime |mid-?)?"
    r"(?P<turn_w>last|next|this past|this coming|this|the coming|the past|the following) "
    rf"(?P<turn_u>weekend|week|month|year|quarter|{SEASON}|{DAY}{PART}|{FEAST}|{MONTH}(?: (?P<turn_d>{NTH})\b)?)",
    "weekend": r"the weekend",
    "day_month": rf"{_ON_DAY}(?:the )?(?P<dm_s>(?P<dm_n>{NTH})(?: (?:to|and|until|till|through) (?:the )?| ?[-–] ?))?"
    rf"(?P<dm_d>{NTH})(?: of)? (?P<dm_m>{MONTH})(?:,? (?P<dm_y>{YEAR}))?",
    "month_day": rf"{_ON_DAY}(?P<md_m>{MONTH}) (?:the )?(?P<md_d>{NTH})\b(?:,? (?P<md_y>{YEAR}))?",
    "weekday": rf"(?P<wd>{DAY}){PART}(?: the (?P<wd_d>\d{{1,2}})(?:st|nd|rd|th)\b)?"
    rf"(?! (?:nights|evenings|mornings|afternoons)|,? (?:and|or) {_DAY_OR_SHORT}| to {_DAY_OR_SHORT})",
    "month": rf"(?P<mo_e>early |late |mid[- ])?(?P<mo>{MONTH})(?:,? (?:of )?(?P<mo_y>{YEAR}))?",
    "feast": rf"(?P<feast_n>{FEAST})(?: (?P<feast_y>{YEAR}))?",
    "season": rf"(?:the )?(?P<se_e>early |late )?(?P<se>{SEASON})(?: of)?(?: (?P<se_y>{YEAR}))?",
    "nth": rf"the (?P<nth_d>\d{{1,2}}(?:st|nd|rd|th)\b(?=\W*$|[,.;:)!]| {_AFTER_NTH}\b)|{ORDINAL}(?=$|,| at | and ))",
    "year": rf"(?P<yr_e>early |late |mid-?)?(?P<yr>{YEAR})(?! ?{COUNTED}\b)",
}
# Any form of date, with its preposition.
EXPRESSION = re.compile(
    rf"\b{LEAD}(?:" + "|".join(f"(?P<{name}>{form})" for name, form in FORMS.items()) + r")\b(?!'s\b|-\w|\.\d|/)",
    re.IGNORECASE,
)
# A duration: "for two years".
LASTING = re.compile(
    rf"\bfor (?:the (?:past|last) )?(?P<hedge>{HEDGE})(?P<n>{NUMBER})\+? (?P<u>{LONG_UNIT})"
    r"(?P<half> and a half)?(?: now)?\b(?! old)",
    re.IGNORECASE,
)
# Part of every date: a quick test for texts without any.
HINT = re.compile(
    r"\d|day|night|morrow|week|month|year|quarter|decade|ago\b|morning|evening|afternoon|spring|summer|autumn|fall\b"
    r"|winter|christmas|halloween|easter|thanksgiving|th\b|first|second|third|\b(?:" + "|".join(SHORT) + ")",
    re.IGNORECASE,
)

# Words for what is done about a date ahead, in any tense: "I signed up for a race this March".
ARRANGING = re.compile(
    r"\b(?:sign(?:ed|ing)? up|(?:enrol|regist|book|reserv|hir|invit|schedul|extend|plan|approv|arrang|intend|rent|agree"
    r"|accept|decid|suppos|wonder)\w*|told|asked|training for|tickets?|until)\b",
    re.IGNORECASE,
)
