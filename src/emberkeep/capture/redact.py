"""Redaction: keys, tokens, passwords, card and account numbers in stored text become `[redacted: <what>]`.

Each pattern has a bounded lookahead or possessive repetition, so that time grows linearly with the text.
"""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from emberkeep.model.message import Message

# Secrets that people choose and secrets that machines issue have different names, and look different.
_CHOSEN = r"(?P<key>pass(?:word|wd|code|phrase)|pwd)"
_ISSUED = r"(?P<key>(?:api|access|account|auth|encryption|private|secret|service|shared|signing)[ _-]?key|secret|token)"
_SECRET_NAME = re.compile(rf"(?i){_CHOSEN}$|(?:{_ISSUED.replace('?P<key>', '?:')}|authorization)$")

_CODE_NAME = re.compile(r"(?:^|[^A-Za-z]|(?<=[a-z])(?=[A-Z]))((?i:pin|cv[vc]2?))$")

_SAYS = r"""(?P<sep>(?:\\?["'`]\]?)?\s{0,3}(?::=|=>|={1,3}|:)\s{0,3})"""
_VALUE = r"""(?P<quote>\\?["'`])?(?P<secret>(?(quote)[^"'`\\\n]++|(?>[^\s"'`,;&]*[^\s"'`,;&.!?:)\]}])))"""
_FOR = r"(?:\s(?:at|for|of|on|to)(?:\s[\w.'-]{1,30}){1,5}?)?"
_IS = r"(?:'s|\s(?:is|was)(?:\snow)?|\s(?:set|changed)\sto):?\s{0,3}"
_UNIT = r"(?!\s(?:bit|byte|char|day|digit|hour|letter|minute|month|number|symbol|word|year))"

_PLACEHOLDER = re.compile(r"[<…]|\$?\{|\$[A-Z][A-Z0-9_]*+(?![a-z])|%\(?[A-Za-z_]++|\.\.\.|\*{3}|[xX]{4,}+$")
_ADDRESS = re.compile(r"[A-Za-z0-9+]{2,10}://|[~.]*/")
_CODE = re.compile(r"[A-Za-z_][\w.]*+[(\[]|(?>[A-Za-z_]++(?:\.[A-Za-z_]++)+)$")
_ALGORITHM = re.compile(r"(?i)(?:aes|argon|base|md|pbkdf|rot|sha|utf)-?[0-9]|bcrypt")
_ORDINARY = frozenset(
    """above below bytes changed correct default disabled empty enabled expired false forgotten help here hidden
    incorrect input invalid mandatory masked missing needed none null number optional password prompt required reset
    secret string text token true undefined unknown unset valid varchar wrong""".split()
)
_SHORTEST_CHOSEN, _SHORTEST_ISSUED, _SHORTEST_ISSUED_IN_PROSE = 4, 8, 12
_POSTAL_LENGTH = 6
_MOST_ROUNDS = 10
_TELLING = re.compile(r"[0-9@#$%^*+=~|]")
_LETTER_AND_DIGIT = re.compile(r"(?=[^0-9]*[0-9])[^A-Za-z]*[A-Za-z]")

# Digits and their separators, including those that a Japanese keyboard or a word processor writes.
_DIGIT, _GAP = "[0-9\uff10-\uff19]", "[ .\u00a0\u2007\u2009\u202f\u2010\u2011\u2013-]"
_SMALLEST_CARD, _LARGEST_CARD, _LARGEST_CODE = 10**12, 10**19, 10**6
_SHORT_CARDS = {13: ("4",), 14: ("30", "36", "38", "39"), 15: ("34", "37")}
_CARDS = ("22", "23", "24", "25", "26", "27", "35", "4", "5", "6")
_IBANS = """AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20
    EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28
    LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29
    RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30""".split()


@dataclass(frozen=True, slots=True)
class _Rule:
    """A kind of secret: its pattern, whose group `secret` is cut out, and a further condition (`holds`)."""

    what: str
    pattern: re.Pattern[str]
    holds: Callable[[re.Match[str]], bool] = bool


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its secrets, and the kinds of secrets found, each once."""
    names: list[str] = []
    for _ in range(_MOST_ROUNDS):  # cutting out one secret may expose another next to it
        before = text
        for rule in _RULES:
            cleaned = rule.pattern.sub(_marker(rule), text)
            if cleaned != text:
                names.append(rule.what)
                text = cleaned
        if text == before:
            break
    return text, tuple(dict.fromkeys(names))


def redact_value(value: Any) -> tuple[Any, tuple[str, ...]]:
    """The same for a JSON-like value: redacts each string and number in it, and whole strings under a secret's key."""
    match value:
        case str():
            return redact(value)
        case list():
            parts = [redact_value(one) for one in value]
            return [one for one, _ in parts], _united(names for _, names in parts)
        case dict():
            fields = [(redact_value(key), _redact_field(key, one)) for key, one in value.items()]
            cleaned: dict[Any, Any] = {}
            for (key, _), (one, _) in fields:
                cleaned[_free(key, cleaned)] = one
            return cleaned, _united(names for field in fields for _, names in field)
        case int() if _SMALLEST_CARD <= value < _LARGEST_CARD:
            text, names = redact(str(value))
            return text if names else value, names
        case _:
            return value, ()


def _redact_field(key: Any, value: Any) -> tuple[Any, tuple[str, ...]]:
    code = isinstance(key, str) and _CODE_NAME.search(key)
    if code and (isinstance(value, str) or (isinstance(value, int) and 0 < value < _LARGEST_CODE)):
        text, names = redact(f"{code[1]}: {value}")
        return text.partition(": ")[2] if names else value, names
    name = isinstance(key, str) and isinstance(value, str) and _SECRET_NAME.search(key)
    if not name or not value or value.startswith("[redacted: "):
        return redact_value(value)
    what = "password" if name["key"] else "secret"
    return f"[redacted: {what}]", (what,)


def _free(key: Any, taken: Container[Any]) -> Any:
    """The key, with a number appended if it is taken: redacted keys may become equal."""
    return key if key not in taken else next(new for n in count(2) if (new := f"{key} ({n})") not in taken)


def _united(names: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for found in names for name in found))


def _marker(rule: _Rule) -> Callable[[re.Match[str]], str]:
    def mark(match: re.Match[str]) -> str:
        if not rule.holds(match):
            return match[0]
        start, end = (at - match.start() for at in match.span("secret"))
        return f"{match[0][:start]}[redacted: {rule.what}]{match[0][end:]}"

    return mark


def _is_ordinary(match: re.Match[str]) -> bool:
    """Whether the value is an ordinary word, a placeholder, an address or code, and so no secret."""
    value = match["secret"]
    if "[redacted" in value or value.lower() in _ORDINARY or _PLACEHOLDER.match(value) or _ADDRESS.match(value):
        return True
    return not match["quote"] and bool(_CODE.match(value) or _ALGORITHM.match(value))


def _is_password(match: re.Match[str]) -> bool:
    """Whether the value may be a password: it has a digit or sign, or stands where only a value can.

    No more is required, because people choose their passwords.
    """
    value = match["secret"]
    if len(value) < _SHORTEST_CHOSEN or _is_ordinary(match):
        return False
    if value.isdecimal():
        return True
    if not _TELLING.search(value):
        return _is_plainly_a_value(match)
    return any(map(str.isalpha, value))


def _is_plainly_a_value(match: re.Match[str]) -> bool:
    """Whether the match is quoted, `key=value` outside a call's arguments, or a word alone after a colon."""
    if match["quote"]:
        return " " not in match["secret"] or "phrase" in match["key"].lower()
    following = match.string[match.end() : match.end() + 1]
    sep = match.groupdict().get("sep")
    return (sep == "=" and following not in {",", ")"}) or (
        sep in {":", ": "} and following in {"", "\n", "\r"} and match["secret"].islower()
    )


def _is_key(match: re.Match[str]) -> bool:
    """Whether the value looks like a key or token made by a machine: letters and digits in one long word."""
    value = match["secret"]
    shortest = _SHORTEST_ISSUED if "sep" in match.groupdict() else _SHORTEST_ISSUED_IN_PROSE
    return len(value) >= shortest and " " not in value and _mixes(match) and not _is_ordinary(match)


def _mixes(match: re.Match[str]) -> bool:
    return bool(_LETTER_AND_DIGIT.match(match["secret"]))


def _is_credential(match: re.Match[str]) -> bool:
    value = match["secret"]
    return not _PLACEHOLDER.match(value) and "[redacted" not in value and (_mixes(match) or not value.islower())


def _is_pin(match: re.Match[str]) -> bool:
    """Whether the digits may be a PIN; six digits after "pin code" are an Indian postal code."""
    return len(match["secret"]) < _POSTAL_LENGTH or "code" not in match[0].lower()


def _is_url_password(match: re.Match[str]) -> bool:
    return not _PLACEHOLDER.match(match["secret"])


def _is_card(match: re.Match[str]) -> bool:
    """Whether the digits have the length and prefix of a payment card, and a valid Luhn checksum."""
    digits = "".join(str(int(one)) for one in match["secret"] if one.isdecimal())
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    total = sum(doubled) + sum(map(int, digits[::-2]))
    return digits.startswith(_SHORT_CARDS.get(len(digits), _CARDS)) and total % 10 == 0


def _is_iban(match: re.Match[str]) -> bool:
    """Whether the check digits are valid (ISO 7064 mod 97-10): the first four moved to the end, letters as 10 to 35."""
    account = match["secret"].replace(" ", "")
    return int("".join(str(int(one, 36)) for one in account[4:] + account[:4])) % 97 == 1


def _token(what: str, *shapes: str) -> _Rule:
    return _Rule(what, re.compile(rf"(?<![A-Za-z0-9])(?P<secret>{'|'.join(shapes)})"))


def _iban_shapes() -> str:
    lengths = sorted({int(one[2:]) for one in _IBANS})
    countries = {length: "|".join(one[:2] for one in _IBANS if int(one[2:]) == length) for length in lengths}
    return "|".join(rf"(?:{names})[0-9]{{2}}(?: ?[A-Z0-9]){{{size - 4}}}" for size, names in countries.items())


_AWS_ACCESS = r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
_AWS_VALUE = r"(?P<secret>(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))"
_CARD_START, _CARD_END = r"(?<![\w+-])(?<![0-9]\.)", r"(?![\w-]|\.[0-9])"
_GROUPS = rf"[2-6\uff12-\uff16]{_DIGIT}{{3}}(?:{_GAP}{_DIGIT}{{4}}){{3}}"
_CODE_SAYS = rf"""(?:{_FOR}{_IS}|{_SAYS}|\s?#\s?)(?:\\?["'`])?"""
_CODE_END = rf"(?![\w-]|[.,:/][0-9]){_UNIT}"
_PEM = r"[A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"

_RULES = (
    _Rule(
        "private key",
        re.compile(
            rf"(?P<secret>-----BEGIN {_PEM}(?:(?>(?:[^-]++|-(?!----))*)-----END {_PEM}"
            r"|(?>(?:(?>(?:\s|\\n)*)[A-Za-z0-9+/=]{16,}+)+)))"
        ),
    ),
    _Rule("AWS secret key", re.compile(rf"(?i:secret[ _-]?access[ _-]?key)\W{{1,8}}{_AWS_VALUE}")),
    _Rule("AWS secret key", re.compile(rf"{_AWS_ACCESS}[^A-Za-z0-9/+]{{1,8}}{_AWS_VALUE}")),
    _token("AWS access key", _AWS_ACCESS),
    _token("Emberkeep key", r"ek_[0-9a-f]{16}_[0-9a-f]{64}"),
    _token("GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}+", r"github_pat_\w{22,}+"),
    _token("GitLab token", r"gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas)-[\w-]{20,}+"),
    _token("Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}+", r"xapp-[0-9]-[A-Za-z0-9-]{10,}+"),
    _Rule("Slack token", re.compile(r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/]{20,}+)")),
    _token("Stripe key", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}+", r"whsec_[A-Za-z0-9+/=]{24,}+"),
    _token("SendGrid key", r"SG\.[\w-]{22}\.[\w-]{43}(?![\w-])"),
    _token("Google key", r"AIza[\w-]{35}(?![\w-])", r"ya29\.[\w-]{20,}+", r"GOCSPX-[\w-]{20,}+"),
    _token("Anthropic key", r"sk-ant-[\w-]{20,}+"),
    _token("OpenAI key", r"sk-(?:proj|svcacct|admin)-[\w-]{20,}+", r"sk-[A-Za-z0-9]{32,}+"),
    _token("Hugging Face token", r"hf_[A-Za-z0-9]{30,}+", r"api_org_[A-Za-z0-9]{30,}+"),
    _token("npm token", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    _token("PyPI token", r"pypi-Ag[\w-]{50,}+"),
    _Rule("JWT", re.compile(r"(?<![\w-])(?P<secret>eyJ[\w-]{10,}+(?:\.{1,2}[\w-]{4,}+){1,4})")),
    _Rule(
        "authorization",
        re.compile(
            r"""(?i)\bauthorization(?:\\?["'])?\s{0,3}[:=]\s{0,3}(?:\\?["'])?(?:apikey|basic|bearer|token)\s{1,3}"""
            r"""(?P<secret>[^\s"'`,;\\]{6,}+)"""
        ),
        _is_credential,
    ),
    _Rule("authorization", re.compile(r"(?i)\bbearer\s{1,3}(?P<secret>[\w.~+/=-]{16,}+)"), _mixes),
    _Rule(
        "password",
        re.compile(r"""://[^\s/:@]{0,100}:(?P<secret>[^\s/?#()\[\]<>"'`,]+)@(?!sha256:)"""),
        _is_url_password,
    ),
    _Rule("password", re.compile(rf"(?i){_CHOSEN}{_SAYS}{_VALUE}"), _is_password),
    _Rule(
        "password",
        re.compile(rf"(?i)\b{_CHOSEN}{_FOR}{_IS}{_VALUE}{_UNIT}"),
        _is_password,
    ),
    _Rule("secret", re.compile(rf"(?i){_ISSUED}{_SAYS}{_VALUE}"), _is_key),
    _Rule("secret", re.compile(rf"(?i)\b{_ISSUED}{_IS}{_VALUE}"), _is_key),
    _Rule(
        "IBAN", re.compile(rf"(?<![A-Za-z0-9])(?=[A-Z]{{2}}[0-9])(?P<secret>{_iban_shapes()})(?![A-Za-z0-9])"), _is_iban
    ),
    _Rule(
        "payment card",
        re.compile(rf"{_CARD_START}(?P<secret>{_GROUPS}{_GAP}{_DIGIT}{{1,3}}){_CARD_END}"),
        _is_card,
    ),
    _Rule(
        "payment card",
        re.compile(
            rf"{_CARD_START}(?P<secret>[2-6\uff12-\uff16]{_DIGIT}{{12,18}}|{_GROUPS}"
            rf"|[3\uff13]{_DIGIT}{{3}}{_GAP}{_DIGIT}{{6}}{_GAP}{_DIGIT}{{4,5}}"
            rf"|[4\uff14]{_DIGIT}{{3}}(?:{_GAP}{_DIGIT}{{3}}){{3}}){_CARD_END}"
        ),
        _is_card,
    ),
    _Rule(
        "PIN",
        re.compile(
            rf"(?i)(?<![\w-])pin(?:\s?(?:code|number))?(?:(?P<said>{_CODE_SAYS})|\s)(?P<secret>[0-9]{{4,6}}){_CODE_END}"
            r"(?(said)|(?=\s*(?:[,.;!?)]|$)))"
        ),
        _is_pin,
    ),
    _Rule(
        "card security code",
        re.compile(
            rf"(?i)(?<![A-Za-z0-9])cv[vc]2?(?:\s?(?:code|number))?(?:{_CODE_SAYS}|\s)(?P<secret>[0-9]{{3,4}}){_CODE_END}"
        ),
    ),
    _Rule(
        "US social security number",
        re.compile(r"(?<![\w-])(?P<secret>(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4})(?![\w-])"),
    ),
    _Rule(
        "US social security number",
        re.compile(
            r"(?i)\b(?:ssn|social security(?: number)?)(?:\sis)?\s?[:#=]?\s?"
            r"(?P<secret>[0-9]{3} ?[0-9]{2} ?[0-9]{4})(?![\w-])"
        ),
    ),
)


def redact_messages(messages: Sequence[Message]) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """Messages without secrets in their text and tool calls, and the kinds of secrets found, each once."""
    said = [redact(message.content) for message in messages]
    calls = [redact_value(list(message.tool_calls)) for message in messages]
    clean = tuple(
        replace(message, content=text, tool_calls=tuple(made))
        for message, (text, _), (made, _) in zip(messages, said, calls, strict=True)
    )
    return clean, tuple(dict.fromkeys(what for _, found in (*said, *calls) for what in found))
