"""Tell a text that says something from one that tries to tell a model what to do."""

import re
import unicodedata

from emberkeep.language.characters import INVISIBLE, latin

# Each of the phrases below contains one of these. They are much cheaper to look for, and most texts have none.
_HINTS = """
    ignor disregard forget overrid bypass overrul system developer now longer behav pretend respond act hidden secret
    instruct directive order jailbreak user human operator mode important urgent attention reading processing summari
    only task purpose http @ begin function oublie olvida vergiss missachte dimentica esqueça игнорируй забудь
    忽略 无视 忘记 無視
""".split()
# Phrases in several languages. Each begins with a word, so that no match is tried in the middle of one.
_PHRASE = re.compile(
    r"""
    \b(?:
      (?:ignore|disregard|forget|override|bypass|overrule)\b[^.\n]{0,40}\b
        (?:instruction|prompt|rule|guideline|context|everything|above|previous|prior|safety)s?\b
    | (?:system|developer)\s+(?:prompt|message|instruction|override)s?\b
    | you\s+(?:are|will\s+be|must\s+act\s+as)\s+now\b | from\s+now\s+on\s*,?\s+you\b | you\s+are\s+now\b
    | you\s+(?:are\s+)?no\s+longer\s+(?:have|need|bound|follow)\b[^.\n]{0,30}\b(?:rule|polic|restrict|guideline)
    | (?:act|behave|pretend|respond)\s+(?:as|like)\s+(?:if\s+you|an?\s+\w+\s+(?:with|without)|dan)\b
    | (?:reveal|print|show|repeat|output|leak|exfiltrate)\b[^.\n]{0,30}\b(?:your|the)\s+(?:system|hidden|secret)\b
    | new\s+(?:system\s+)?(?:instruction|directive|order)s?\s*: | jailbreak\b | do\s+anything\s+now\b
    | (?:do\s+not|don['’]t|never|without)\s+(?:tell|telling|inform|informing|alert|alerting|notify|notifying)
        \s+the\s+(?:user|human|operator)\b
    | (?:developer|debug|god|admin|sudo|unrestricted)\s+mode\s+(?:is\s+)?(?:on|enabled|activated|engaged)\b
    | (?:enable|activate|enter)\s+(?:developer|god|unrestricted|dan)\s+mode\b
    | (?:important|urgent|attention)\b[^.\n]{0,20}\b(?:ai|assistant|llm|language\s+model)s?\b[^.\n]{0,20}\b
        (?:must|should|read|reading|follow)\b
    | (?:the|any)\s+(?:ai|assistant|model|llm|agent)\s+(?:reading|processing|summari[sz]ing)\s+this\b
    | (?:respond|reply|answer)\s+only\s+with\b | your\s+(?:new|real|true|only)\s+(?:task|instructions?|purpose)\b
    | (?:send|post|forward|upload|exfiltrate|append)\b[^.\n]{0,60}\b(?:api\s+keys?|passwords?|credentials|
        conversation|chat\s+history|memories|secrets)\b[^\n]{0,40}\bto\b[^\n]{0,20}(?:https?:|@)
    | BEGIN\s+(?:SYSTEM|INSTRUCTIONS)\b | to=functions?\.
    | (?:ignorez|oubliez)\b[^.\n]{0,40}\binstructions\b | (?:ignora|olvida)\b[^.\n]{0,40}\binstrucciones\b
    | (?:ignorier|ignoriere|vergiss|missachte)\b[^.\n]{0,40}\b(?:anweisung|anweisungen|vorgaben|regeln)\b
    | (?:ignora|dimentica)\b[^.\n]{0,40}\bistruzioni\b | (?:ignore|esqueça)\b[^.\n]{0,40}\binstruções\b
    | (?:игнорируй|забудь)\w*[^.\n]{0,40}(?:инструкци|указани|правил)
    )
    | (?:忽略|无视|忘记)[^。\n]{0,12}(?:指令|指示|规则|提示) | (?:以前|上記|これまで)の(?:指示|命令)[^。\n]{0,6}無視
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Part of every match of `_TOKEN`: a quick test.
_MARKS = ("<", "[", "tool", "role", "call", "recipient", "#", "system", "developer", "assistant", "human")
# What chat templates and tools write: turns, roles and calls.
_TOKEN = re.compile(
    r"""
      <\|?/?(?:im_start|im_end|system|start_header_id|eot_id|endoftext|assistant|tool_call|function_calls?|invoke)\b
    | \[/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\] | <<\s*/?SYS\s*>>
    | ["'](?:tool_calls?|function_call|recipient_name)["']\s*:
    | ["']role["']\s*:\s*["'](?:system|developer|assistant|tool)["']
    | ^[ \t]*\#+[ \t]*(?:system|instructions?|new[ \t]+task)[ \t]*:?[ \t]*(?:$|:)
    | ^[ \t]*(?:system|developer|assistant|human)[ \t]*:
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def is_instruction(text: str) -> bool:
    """Return whether a text tries to tell a model what to do, even with lookalike or hidden characters."""
    if text.isascii():
        return _reads_as_one(text)
    bare = unicodedata.normalize("NFKC", INVISIBLE.sub(_without_breaks, text))
    return _reads_as_one(bare) or _reads_as_one(latin(bare))


def _reads_as_one(text: str) -> bool:
    """Return whether a text contains such a phrase or token as it stands."""
    folded = text.casefold()
    if any(hint in folded for hint in _HINTS) and _PHRASE.search(text) is not None:
        return True
    return any(mark in folded for mark in _MARKS) and _TOKEN.search(text) is not None


def _without_breaks(found: re.Match[str]) -> str:
    """Return nothing for invisible characters between letters; breaks between lines and words stay."""
    return "\n" if "\n" in found[0] else " " if any(one.isspace() for one in found[0]) else ""
