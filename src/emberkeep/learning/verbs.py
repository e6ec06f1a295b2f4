"""English verbs and their forms."""

from functools import lru_cache

# Base form, simple past and past participle.
_IRREGULAR = """
be was been; bear bore born; beat beat beaten; become became become; begin began begun; bend bent bent; bet bet bet;
bite bit bitten; bleed bled bled; blow blew blown; break broke broken; breed bred bred; bring brought brought; build
built built; burn burnt burnt; buy bought bought; catch caught caught; choose chose chosen; come came come; cost cost
cost; cut cut cut; deal dealt dealt; dig dug dug; do did done; draw drew drawn; dream dreamt dreamt; drink drank
drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight fought fought; find
found found; fly flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten;
give gave given; go went gone; grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit
hit hit; hold held held; hurt hurt hurt; keep kept kept; kneel knelt knelt; know knew known; lay laid laid; lead led
led; learn learnt learnt; leave left left; lend lent lent; let let let; lie lay lain; light lit lit; lose lost lost;
make made made; mean meant meant; meet met met; pay paid paid; put put put; quit quit quit; read read read; rewrite
rewrote rewritten; rebuild rebuilt rebuilt; ride rode ridden; ring rang rung; rise rose risen; run ran run; say said
said; see saw seen; sell sold sold; send sent sent; set set set; sew sewed sewn; shake shook shaken; shoot shot shot;
show showed shown; shut shut shut; sing sang sung; sink sank sunk; sit sat sat; sleep slept slept; speak spoke spoken;
spend spent spent; split split split; spread spread spread; stand stood stood; steal stole stolen; stick stuck stuck;
strike struck struck; swim swam swum; swear swore sworn; take took taken; teach taught taught; tear tore torn; tell
told told; think thought thought; throw threw thrown; understand understood understood; undergo underwent undergone;
upset upset upset; wake woke woken; wear wore worn; win won won; withdraw withdrew withdrawn; write wrote written;
oversee oversaw overseen; overtake overtook overtaken; overhear overheard overheard; shrink shrank shrunk; spring
sprang sprung; sweep swept swept; bid bid bid; bind bound bound; cling clung clung; creep crept crept; flee fled fled;
fling flung flung; forbid forbade forbidden; grind ground ground; lean leant leant; leap leapt leapt; mistake mistook
mistaken; oversleep overslept overslept; slide slid slid; smell smelt smelt; speed sped sped; spell spelt spelt; spill
spilt spilt; spin spun spun; spit spat spat; swing swung swung; swell swelled swollen; weep wept wept; wind wound
wound; weave wove woven; wring wrung wrung; arise arose arisen; awake awoke awoken; broadcast broadcast broadcast;
cast cast cast; burst burst burst; shed shed shed; redo redid redone; undo undid undone; resell resold resold; retell
retold retold; misread misread misread; outgrow outgrew outgrown; overcome overcame overcome; prove proved proven;
kneel knelt knelt; saw sawed sawn; shave shaved shaven; stride strode stridden; thrust thrust thrust; unwind unwound
unwound; uphold upheld upheld; withhold withheld withheld; breastfeed breastfed breastfed; babysit babysat babysat;
proofread proofread proofread; remake remade remade; retake retook retaken; sublet sublet sublet
"""
# Base forms.
_REGULAR = """
accept achieve acquire act adapt add admire admit adopt adore affect afford agree aim allow announce answer apologise
apologize appear apply appoint appreciate approve argue arrange arrive ask assign assume attach attack attempt attend
automate avoid award back bake ban base batch belong bike bill block blog board book bother bounce breathe brew browse
budget bump cache call camp cancel care carry cause celebrate change charge chat check clean climb close coach code
collect combine commit communicate commute compare compete compile complain complete compose configure confirm connect
consider consist consult consume contain continue contract contribute control convert cook coordinate copy correct
count cover craft crash create crochet cross cruise cycle damage dance date debug decide declare declutter decline
decorate decrease dedicate delay delete deliver deny depend deploy deprecate describe deserve design detect detest
develop diagnose die direct disable disagree discover discuss dislike dislocate distribute dive divorce donate double
download downgrade draft dread dress drop dump earn edit elect email embed emigrate employ enable encourage end enjoy
enrol enroll ensure enter escape establish evacuate exchange exercise exist expand expect experience experiment
explain explore export express extend face fail farm fast favor favour fear file fill film finish fire fish fix focus
follow force foster found fracture freelance function fund gain garden gather generate golf govern grab graduate greet
grill guess guide handle happen hate head heal help hike hire hope host house hug hunt identify ignore imagine
immigrate implement import improve include increase inform inherit injure install integrate intend interview introduce
invent invest invite iron issue jog join joke judge juggle jump knit label lack land last laugh launch lease license
lift like limit link list listen live load loathe locate lock log look love maintain manage mark marry match matter
measure meditate meditate mentor mention merge message migrate miss mix model monitor mount move name need negotiate
notice obtain occur offer open operate opt order organise organize outsource own pack paint park participate partner
pass pay perform phase photograph pick pivot place plan plant play please point post practice practise praise pray
prefer prepare present press print process produce program promise promote propose protect prototype provide publish
pull pump purchase push race raise ramp reach realise realize receive recommend record recover recycle reduce refactor
refer refinance refuse regret relate relax release relocate rely remain remember remind remove rename renew renovate
rent repair repeat replace reply report represent request require reschedule research reserve reside resign respect
respond rest restart retire return review revise reward roll rotate row ruin sail save scale schedule scrap scream
search season seem seize separate serve service settle share shift ship shop shout sign ski skate skip smell smoke
snore snowboard solve sort sound specialise specialize spell sponsor sprain stage standardise standardize start state
stay stop store stream stress stretch struggle study submit subscribe succeed suffer suggest supervise supply support
suppose surf survive suspect switch talk taste tend terminate test thank tie tour touch trace track trade train
transfer translate travel treat trek trigger trust try tune turn tutor twist type unsubscribe update upgrade upload
use vacation value version view visit voice volunteer vote wait walk want warn wash waste watch water wed weigh
welcome whitelist wish wonder work worry wrap yell zip cost deprecate sunset tweet vape weld sketch sculpt freelance
homeschool crossfit lift journal scuba stock own onboard outgrow retrain swap suspend sublet sue sunbathe supplement
hydrate index query expose emit parse validate authenticate render rewrite ingest expire renew indent bark meow purr
drool chew shed whine howl scratch bloom leak freeze rust creak squeak beep buzz ring stink smell afford inspect audit
certify recertify insure invoice reimburse refund overcharge charge deduct owe lend borrow withdraw phone mail deliver
dispatch collect pickup drop wrap unpack repack assemble dismantle mount tile plaster wire plumb mow rake prune weed
harvest compost can ferment pickle roast fry steam boil barbecue grill smoke cure carve slice dice parent toddle crawl
teethe potty nap doze oversleep snuggle cuddle kiss hug propose elope honeymoon reconcile argue fight bully tease mock
insult praise compliment thank apologise forgive resent envy admire respect trust distrust fear kayak canoe paddle
windsurf kitesurf snorkel scuba parachute skydive bungee abseil boulder trek backpack hitchhike busk improvise
rehearse audition direct produce film edit mix master sample loop arrange conduct transcribe vaccinate immunise inject
medicate prescribe diagnose operate amputate transplant hospitalise discharge readmit rehab containerise containerize
dockerise dockerize virtualise provision orchestrate replicate shard partition encrypt decrypt hash sign verify
validate sanitise sanitize escape serialise serialize deserialise marshal benchmark profile trace instrument alert
page escalate triage mitigate rollback revert bisect cherry squash rebase vendor bundle minify transpile lint
consolidate centralise decentralise modularise refactor rearchitect redesign rebrand relaunch pilot trial onboard
offboard furlough outsource insource offshore acquire divest spin merge liquidate bankrupt incorporate register
trademark patent seat fit hold stock carry sell list price discount advertise market sponsor endorse review rate rank
score clash overlap coincide postpone reschedule cancel confirm decline invite rsvp attend skip miss adjust adapt
switch toggle flip reset reboot restart shut wake hibernate idle sync pair dock undock charge discharge crave swallow
tolerate worship babysit breastfeed bottle fiddle lecture preach nurse wean snack
""".split()
# Verbs that may double their last letter before -ed and -ing.
_DOUBLING = frozenset(
    """
    stop plan drop ship shop swap step chat jog hug ban bet log plug prefer refer admit commit submit equip occur
    travel cancel label model program control scrap wrap skip trip slip grab zip rip nap snap tag blog vlog transfer
    upset quit fit get set put sit run cut hit let shut split bump forget begin swim win spin dig embed babysit sublet
    drag flag beg rob rub dim trim run hum thin pin sin tan bat pat regret rebel patrol enrol fulfil
    """.split()
)
# Verbs whose past is the same as their base form.
INVARIANT = frozenset(
    """
    bet cost cut hit hurt let put quit read set shut split spread upset beat bid broadcast cast burst shed thrust
    proofread sublet
    """.split()
)


def _tables() -> tuple[dict[str, str], dict[str, str], frozenset[str], frozenset[str]]:
    """Return base forms by form, base forms by -ing form, all past forms, and all past participles."""
    lemmas: dict[str, str] = {}
    progressive: dict[str, str] = {}
    pasts, participles = set(), set()
    triples = [part.split() for part in _IRREGULAR.replace("\n", " ").split(";")]
    for base, past, participle in triples:
        lemmas |= {past: base, participle: base}
        pasts.add(past)
        participles.add(participle)
    bases = dict.fromkeys([base for base, _, _ in triples] + _REGULAR)
    irregular = {base for base, _, _ in triples}
    for base in bases:
        if base not in irregular:
            for past in _past_forms(base):
                lemmas.setdefault(past, base)
                pasts.add(past)
                participles.add(past)
        for form in _ing_forms(base):
            progressive.setdefault(form, base)
        lemmas.setdefault(third_person(base), base)
    for past in ("burned", "learned", "dreamed", "leaped", "lighted", "proven", "got", "sewed", "showed"):
        pasts.add(past)
        participles.add(past)
    lemmas |= {"burned": "burn", "learned": "learn", "dreamed": "dream", "were": "be", "am": "be", "are": "be"}
    lemmas |= {base: base for base in bases if base not in pasts or base in INVARIANT}
    lemmas |= {
        "found": "find",
        "left": "leave",
        "felt": "feel",
        "saw": "see",
        "wound": "wind",
        "ground": "grind",
        "bound": "bind",
        "lay": "lie",
        "is": "be",
        "has": "have",
    }
    pasts.add("were")
    return lemmas, progressive, frozenset(pasts), frozenset(participles)


def third_person(base: str) -> str:
    """Return the form after "he", "she" or "it"."""
    if base in _THIRD:
        return _THIRD[base]
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{base}es"
    if base.endswith("y") and base[-2:-1] not in tuple("aeiou"):
        return f"{base[:-1]}ies"
    return f"{base}s"


_THIRD = {"be": "is", "am": "is", "are": "is", "have": "has", "do": "does", "were": "was", "quiz": "quizzes"}


def _past_forms(base: str) -> tuple[str, ...]:
    if base.endswith("e"):
        return (f"{base}d",)
    if base.endswith("y") and base[-2] not in "aeiou":
        return (f"{base[:-1]}ied",)
    return (f"{base}{base[-1]}ed", f"{base}ed") if base in _DOUBLING else (f"{base}ed",)


def _ing_forms(base: str) -> tuple[str, ...]:
    if base.endswith("ie"):
        return (f"{base[:-2]}ying",)
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and base != "be":
        return (f"{base[:-1]}ing",)
    return (f"{base}{base[-1]}ing", f"{base}ing") if base in _DOUBLING else (f"{base}ing",)


_LEMMAS, _PROGRESSIVE, PASTS, PARTICIPLES = _tables()


@lru_cache(4096)
def lemma(word: str) -> str | None:
    """Return the base form of a finite verb form or participle; None if it is no known verb.

    Unknown words in -ed count as verbs.
    """
    return _LEMMAS.get(word) or (word[:-2] if _looks_past(word) else None)


def progressive_lemma(word: str) -> str | None:
    """Return the base form of an -ing form; None if it is no known verb."""
    return _PROGRESSIVE.get(word)


def is_base(word: str) -> bool:
    """Return whether a word can be the base form of a verb, as after "I" or "they"."""
    return _LEMMAS.get(word) == word


def is_third(word: str) -> bool:
    """Return whether a word can be a verb after "he", "she" or "it"."""
    base = _LEMMAS.get(word)
    return base is not None and word == third_person(base)


def is_past(word: str) -> bool:
    """Return whether a word can be a verb in the simple past."""
    return word in PASTS or _looks_past(word)


def is_participle(word: str) -> bool:
    """Return whether a word can be a past participle."""
    return word in PARTICIPLES or _looks_past(word)


def _looks_past(word: str) -> bool:
    """Return whether an unknown word has the form of a regular past."""
    return len(word) > len("used") and word.endswith("ed") and word.isalpha() and word not in _NO_PASTS


# Words in -ed that are no verbs, or usually adjectives.
_NO_PASTS = frozenset(
    """
    hundred naked wicked indeed embed exceed proceed succeed speed breed bleed greed kindred sacred tired bored
    excited confused worried interested supposed concerned pleased delighted thrilled annoyed frustrated exhausted
    stressed overwhelmed surprised amazed impressed disappointed embarrassed relieved convinced scared terrified
    retired married divorced engaged separated widowed gifted talented aged beloved blessed crooked ragged rugged
    united
    """.split()
)


def agreed(word: str) -> str:
    """Return the verb as it follows a name: "live" becomes "lives"; past forms stay."""
    lower = word.lower()
    if lower in _THIRD:
        return _THIRD[lower]
    if lower in _UNCHANGED or (is_past(lower) and lower != "read"):
        return word
    return third_person(lower) if lower.isascii() and lower.isalpha() and not is_third(lower) else word


# Helpers, which do not change.
_UNCHANGED = frozenset(
    """
    will would can cannot could may might shall should must used is was has does did had ought 'll 'd not
    """.split()
)
