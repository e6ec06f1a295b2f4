"""Word lists by which the rules tell sentences apart."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases, one to a line, by their first word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in text.strip().splitlines():
        phrase = tuple(line.split())
        found.setdefault(phrase[0], []).append(phrase)
    return {first: tuple(sorted(same, key=len, reverse=True)) for first, same in found.items()}


SPEAKER = _words("i we")
FIRST_PERSON = _words("i my we our me us mine ours myself ourselves")
ADDRESSED = _words("you your yours yourself yourselves u ur")
BE = _words("am is are was were be been being")
HAVE = _words("have has had")
DO = _words("do does did")
MODALS = _words("will would can cannot could may might shall should must ought")
HELPERS = BE | HAVE | DO | MODALS
DETERMINERS = _words("a an the my our his her their its some any this that these those no each every both two three")
PREPOSITIONS = _words(
    """
    in on at for with from to as by of about over under near around into onto through during since until without
    within between across along behind beside against towards toward via per inside outside
    """
)
# Words that may stand between a subject and its verb.
ADVERBS = _words(
    """
    not never always usually often sometimes rarely seldom also still just now currently already ever really very
    actually only even recently finally too mostly mainly generally normally typically presently once both all then
    therefore thus hardly barely almost nearly quite rather pretty fairly temporarily permanently definitely
    absolutely strongly personally primarily long soon officially formally totally completely truly simply together
    again first originally formerly previously eventually kind-of twice regularly occasionally frequently
    """
)
# Words in -ly that are no adverbs.
NOT_ADVERBS = _words(
    """
    family only-child fly apply reply supply rely italy lily daily early elderly july july molly sally emily kelly
    """
)
# Words which say that something recurs.
FREQUENCIES = _words(
    """
    every each usually often always never sometimes rarely regularly daily weekly monthly twice once weekends mondays
    tuesdays wednesdays thursdays fridays saturdays sundays mornings evenings nights nightly yearly annually typically
    normally generally occasionally frequently
    """
)

# Phrases before a statement that add nothing to it.
FILLERS = _phrases(
    """
    well
    oh
    ah
    so
    also
    hey
    hi
    hello
    hiya
    yes
    yeah
    yep
    yup
    no
    nope
    ok
    okay
    anyway
    anyways
    actually
    btw
    by the way
    from now on
    and
    but
    plus
    or
    honestly
    frankly
    to be honest
    tbh
    fun fact
    fyi
    for your information
    just so you know
    for context
    some context
    a bit of context
    a little context
    some background
    background
    context
    for background
    as background
    for what it is worth
    fwiw
    in case it helps
    in case it matters
    if it helps
    if it matters
    as you know
    you know
    great news
    good news
    bad news
    big news
    exciting news
    the good news is
    the bad news is
    the good news is that
    guess what
    update
    quick update
    small update
    sure
    right
    hmm
    hm
    um
    uh
    er
    sadly
    unfortunately
    luckily
    fortunately
    thankfully
    basically
    in fact
    as a matter of fact
    as i said
    as i mentioned
    like i said
    as mentioned
    haha
    hahaha
    hehe
    lol
    lmao
    omg
    oh my god
    ngl
    imo
    imho
    ugh
    wow
    great
    cool
    nice
    perfect
    thanks
    thank you
    thanks a lot
    many thanks
    cheers
    sorry
    good morning
    good evening
    good afternoon
    yay
    look
    listen
    see
    i mean
    it turns out
    turns out
    it turns out that
    turns out that
    the thing is
    the truth is
    i should mention
    i should mention that
    i should say that
    i should add that
    i forgot to mention
    i forgot to mention that
    i have to admit
    i must admit
    i have to say
    i must say
    i can tell you that
    did i mention that
    speaking of which
    on another note
    on a side note
    side note
    one more thing
    another thing
    interestingly
    funnily enough
    of course
    naturally
    obviously
    clearly
    apparently
    in general
    generally
    normally
    personally
    for me
    as for me
    today i learned
    first
    first of all
    second
    secondly
    firstly
    finally
    lastly
    then
    now
    ps
    p.s
    correction
    wait
    heads up
    a heads up
    just a heads up
    good to know
    about me
    a bit about me
    a little about me
    about myself
    """
)
# Phrases that open a correction, if a pause follows.
CORRECTIONS = _phrases(
    """
    i said it wrong
    i said that wrong
    i got it wrong
    i got that wrong
    i told you wrong
    i was wrong
    i was mistaken
    i made a mistake
    i misspoke
    i need to correct that
    i need to correct myself
    i have to correct myself
    let me correct that
    let me correct myself
    small correction
    """
)
# Requests to remember what follows.
EXPLICIT = _phrases(
    """
    remember that
    remember this
    remember
    please remember that
    please remember this
    please remember
    do remember that
    note that
    note this
    note the following
    please note the following
    remember the following
    note
    please note that
    please note
    please note this
    do not forget that
    do not forget
    please do not forget that
    please do not forget
    for the record
    just for the record
    for future reference
    for your records
    for your notes
    keep in mind that
    keep in mind
    please keep in mind that
    please keep in mind
    bear in mind that
    bear in mind
    make a note that
    make a note
    take note that
    take note
    make sure to remember that
    make sure you remember that
    i want you to remember that
    i want you to know that
    i would like you to remember that
    you should know that
    you should remember that
    important
    important to know
    it is important to know that
    can you remember that
    could you remember that
    save this
    save that
    store this
    memorize this
    memorise this
    memorize that
    memorise that
    please save that
    please store that
    write down that
    jot down that
    """
)

# Words that make a clause uncertain.
HYPOTHETICAL = _words(
    """
    if unless whether would could might maybe perhaps probably possibly imagine suppose supposing pretend
    hypothetically presumably supposedly assume assuming wish hopefully should ought lest likely
    """
)
# Verbs that make what follows uncertain: "I think ...".
HEDGING_VERBS = _words(
    """
    think believe guess suppose assume hope wish wonder doubt suspect imagine feel figure reckon bet
    """
)
# Verbs of reported speech.
REPORTING = _words(
    """
    say tell claim mention explain argue insist suggest promise report state announce ask reply answer
    """
)
# Phrases of messages in which nothing is meant.
FICTION = (
    "role-play", "roleplay", "role play", "in my story", "in my novel", "in the story", "in this story", "in my dream",
    "in the novel", "in my book", "in this game", "in the game", "in my game", "in this scenario", "in character",
    "my character", "act as", "act like", "pretend", "imagine", "let's play", "lets play", "fictional", "fan fiction",
    "fanfic", "in my d&d", "in my campaign", "in our campaign", "in this exercise",
    "in the movie", "in the film", "in my screenplay", "once upon a time", "in my script", "the narrator",
    "in this hypothetical", "in the role of", "in our game", "in the scenario", "in our story", "write a story",
)  # fmt: skip
# Phrases of messages that give orders to the model.
AIMED_AT_MODEL = (
    "ignore previous", "ignore all", "ignore the above", "ignore your", "disregard", "previous instructions",
    "prior instructions", "system prompt", "you are now", "you must", "your instructions", "developer mode",
    "jailbreak", "as an ai", "new instructions", "do anything now", "system message", "above instructions",
)  # fmt: skip
# Verbs that ask for work on a text.
TEXT_TASKS = _words(
    """
    translate rewrite rephrase paraphrase proofread summarise summarize correct edit improve reword polish shorten
    analyse analyze classify parse format fix check review transcribe complete continue convert extract
    """
)
QUESTION_STARTS = _words(
    """
    what who whom whose which why how where when is are am was were do does did can could will would shall should may
    might have has had isn't aren't don't doesn't won't can't any anyone anybody
    """
)
# Words of a tag question: "isn't it?".
TAG_WORDS = HELPERS | _words("not i you he she it we they right there")

CONSENT = _words("yes yeah yep yup correct exactly indeed absolutely definitely")
REFUSAL = _words("no nope nah")

# Verbs that tell a preference.
LIKING = _words("like love enjoy adore prefer hate dislike detest loathe favor favour")
# Phrases after "be" that tell a preference.
TASTE_BE = (
    "a fan of", "a big fan of", "a huge fan of", "not a fan of", "fond of", "into", "keen on", "crazy about",
    "mad about", "partial to", "obsessed with", "passionate about", "a sucker for", "not big on", "big on",
    "addicted to", "fans of", "a massive fan of", "not a big fan of", "not a huge fan of", "really into",
    "nuts about", "a lover of", "not much of a", "big fans of", "huge fans of", "not keen on", "not into",
    "not fond of", "a great fan of", "an avid fan of", "a lifelong fan of", "averse to", "sick of",
    "not crazy about",
)  # fmt: skip
# First words of an object that is not named here.
MOMENT_OBJECTS = _words("it that this these those them what how your you yours to-be idea one ones")

# Verbs that tell a decision in the past tense: "we decided ...".
DECIDING = _words("decide agree choose pick settle opt select standardise standardize")
# Verbs that tell a decision in the future tense: "we'll use Postgres".
CHOICE_VERBS = _words(
    """
    use drop adopt keep stick switch replace migrate support remove standardise standardize deprecate abandon ditch
    rewrite port retire sunset pin discontinue phase postpone freeze ban
    """
)

# Verbs for something done once that goes on from then: somebody who moved somewhere lives there.
TURNS = _words(
    """
    move relocate emigrate settle join start begin become get turn marry switch migrate convert change replace swap
    upgrade
    """
)
# Verbs whose past tense tells an event worth keeping.
LIFE_EVENTS = _words(
    """
    move relocate emigrate immigrate marry divorce separate adopt buy purchase sell graduate start begin join leave
    quit retire resign break sprain fracture dislocate injure hurt win lose publish release launch ship migrate
    upgrade switch visit travel fly hire fire promote found establish open close die bear diagnose celebrate finish
    complete enrol enroll propose inherit renovate rent sign earn pass fail receive get become give donate rebuild
    rewrite replace deprecate deploy crash stop cancel subscribe unsubscribe refinance pay climb run hike cycle camp
    sail win survive undergo acquire merge raise foster rescue plant throw build attend meet expand discontinue drop
    retrain convert change install bring take return transfer lease downsize outgrow qualify certify train host
    organise organize record perform release defend submit total crash book schedule reserve order remove sunset swap
    scrap onboard lower increase reduce double introduce spend learn appoint elect award invest evacuate recover heal
    relapse settle
    """
)
# Verbs whose past tense is worth keeping only with a date, if at all.
TRIVIAL_PAST = _words(
    """
    click read see try look think want need say tell ask hear notice check run press type open close write mean forget
    send use call copy paste search google install update restart reboot download upload change add remove delete find
    get sleep wake eat drink sit stand walk watch feel know understand like love hope wonder believe realise realize
    have do make put set come go give take show work talk speak chat wait enjoy guess assume expect decide reply
    answer miss laugh cry smile dream yell scream shout nap doze chill relax hang shower wash clean tidy cook shop
    drive park ride jog stretch rest hoover vacuum iron follow log save print test debug fix compile enter paste
    scroll email message text phone ping contact
    """
)
# Verbs whose present tense tells something lasting.
DURABLE = _words(
    """
    live reside work own speak play study teach drive manage lead maintain run use sell belong commute suffer collect
    write paint draw sing dance cook bake garden knit ski surf swim climb hike cycle practise practice coach volunteer
    smoke drink eat wear raise breed rent lease share support supervise mentor freelance specialise specialize major
    subscribe follow host deploy develop build design operate produce store keep serve employ follow rely depend
    consist contain include cost pay earn weigh measure sleep wake train exercise meditate pray attend travel fly ride
    fish hunt camp babysit foster care treat research publish represent report document stream record edit photograph
    compose perform sew crochet run-on go take avoid require support expose listen watch read grow brew make ship
    release target charge accept offer stock export import process handle log monitor test lint format package version
    allow indent talk connect vote back bill invoice finish track plan track order buy shop bike jog walk carry
    stutter snore bite identify go-by need farm sail row box fence juggle code program invest donate lecture preach
    nurse skate snowboard golf hold code-review cost start open close end last meet arrive depart leave expire renew
    limit cache index replicate batch sync authenticate queue route proxy render compile bundle belong owe live-stream
    podcast blog journal celebrate
    """
)
# Verbs whose -ing form tells something lasting: "I'm learning Spanish".
LASTING_ING = _words(
    """
    live work study learn train teach raise date see rent manage lead run write build freelance volunteer take save
    lease share commute recover breastfeed grow renovate remodel restore develop maintain major foster mentor coach
    practise practice play attend follow work-out homeschool translate research expect apprentice intern serve
    """
)
# Verbs whose -ing form or future tense tells a plan: "I'm moving".
PLAN_ING = _words(
    """
    move start get visit fly go travel host attend leave join have launch release ship take marry quit retire open run
    switch migrate buy sell adopt return relocate begin graduate celebrate speak present hike meet drive interview
    defend renovate meet spend throw come close sign drop deprecate cut publish hire expect upgrade rent stay sail
    camp tour perform play race compete undergo submit shut freeze replace merge change pick see transfer
    """
)
# Verbs whose future tense tells no plan: "I'll try that".
TRIVIAL_FUTURE = _words(
    """
    try check see look let get do test read ask send think be give go tell know need have make need update report come
    wait keep use add run put post copy paste restart reboot show explain share write call work figure find fix follow
    pass stop start help bed sleep eat grab
    """
)
# Verbs whose present tense is not worth keeping: "I need help".
REJECTED_VERBS = _words(
    """
    want need think know feel mean see hear understand agree wonder hope wish believe guess suppose look try get wait
    notice appreciate disagree remember forget seem appear sound realise realize ask say tell thank apologise
    apologize assume expect imagine worry doubt suspect consider recommend suggest bet figure please miss let say
    """
)
# Nouns for things that are soon over: "I have a meeting".
APPOINTMENTS = _words(
    """
    appointment interview exam flight surgery wedding trip meeting deadline reservation checkup check-up operation
    presentation party concert holiday vacation conference talk call test race marathon recital ceremony booking
    procedure session date demo review viewing inspection hearing match game audition lesson dinner lunch due visit
    scan train ticket tickets release launch workshop class move reunion consultation booked visitors guests interview
    """
)
# Words after "be" for a state of the moment: "I'm tired".
MOMENT_STATES = _words(
    """
    tired hungry thirsty sorry sure unsure happy sad ready here back done stuck confused curious glad afraid excited
    lost late busy bored worried angry upset sleepy exhausted cold hot warm fine ok okay good great well bad better
    worse sick ill alone home away outside inside available free able unable aware interested grateful thankful
    impressed surprised amazed nervous anxious stressed overwhelmed frustrated annoyed certain positive serious
    kidding joking certain convinced done finished close near almost wrong right correct guilty proud jealous
    embarrassed disappointed hopeful optimistic skeptical sceptical open willing fully running broken down failing
    slow sore dizzy hungover drunk awake asleep wondering looking trying getting thinking hoping using having seeing
    calling asking writing reading running talking referring guessing assuming starting doing making being feeling
    sitting standing waiting going listening watching eating drinking cooking on off in out up about at with clear new
    confident comfortable familiar used supposed allowed meant fed relieved pleased delighted thrilled concerned dead
    low delayed asleep closed shut charging due-soon cancelled puzzled baffled blown over so too just like there all
    set gone missing empty full wet dirty clean nice cool afk brb speechless
    """
)
# Words after "be" for a lasting state: "I'm vegan".
DURABLE_STATES = _words(
    """
    vegan vegetarian pescatarian allergic intolerant married single divorced engaged widowed retired pregnant diabetic
    asthmatic autistic dyslexic blind deaf colourblind colorblind color-blind colour-blind left-handed right-handed
    ambidextrous bisexual gay lesbian straight trans nonbinary non-binary queer asexual bilingual trilingual
    self-employed unemployed freelance retired introverted extroverted religious atheist agnostic celiac coeliac
    lactose-intolerant gluten-free kosher halal teetotal sober anemic anaemic epileptic hypertensive originally born
    based called named responsible sensitive adopted tall short separated homeschooled self-taught nearsighted
    short-sighted far-sighted lefty disabled neurodivergent immunocompromised dual trained certified licensed
    qualified impaired fluent native remote part-time full-time enrolled employed half immune lactose
    """
)
# Nationalities and religions.
PEOPLE_ADJECTIVES = _words(
    """
    american british english scottish welsh irish french german spanish portuguese italian dutch belgian swiss
    austrian polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian swedish norwegian danish
    finnish icelandic estonian latvian lithuanian croatian serbian slovenian bosnian albanian chinese japanese korean
    vietnamese thai indonesian malaysian filipino indian pakistani bangladeshi nepali iranian iraqi israeli lebanese
    syrian egyptian moroccan algerian tunisian nigerian ghanaian kenyan ethiopian canadian mexican brazilian
    argentinian argentine chilean peruvian colombian venezuelan cuban jamaican australian african european asian arab
    kurdish muslim christian jewish catholic protestant orthodox hindu buddhist sikh taiwanese singaporean georgian
    armenian cypriot maltese
    """
)
# Groups, generations and star signs, which are no names after "I'm".
GROUPS = _words(
    """
    republican democrat liberal conservative libertarian socialist communist anarchist labour tory green gen millennial
    boomer zoomer generation team type class aries taurus gemini cancer virgo libra scorpio sagittarius capricorn
    aquarius pisces introvert extrovert mormon quaker lutheran methodist baptist anglican evangelical black white latino
    latina hispanic caucasian native
    """
)
# Words after "call me" that are no names: "call me later".
NOT_CALLED = _words(
    """
    uber lyft taxi cab ambulance later back maybe anytime anyway whatever whenever anything something nothing asap
    common rare long short pronounced spelled broke starving freezing dying mon tue tues wed thu thurs fri sat noon
    midnight
    """
)
# Nouns for things of the moment: "I have a question".
MOMENT_NOUNS = _words(
    """
    question questions problem problems issue issues idea ideas error errors bug doubt doubts time headache feeling
    look minute second moment clue chance feedback thought thoughts suggestion suggestions request trouble bit lot
    reason concern concerns hunch point favor favour confession task assignment homework string list array function
    dataframe table column columns file files script class variable dictionary dict loop query code snippet method
    component page image input output json csv object json regex text sentence paragraph essay email message document
    pdf folder minutes hours laundry dishes errands chores housework work news surprise crush goosebumps words energy
    regrets patience winner bone lift-off fun luck sense difference mind plan plans opinion choice option options need
    hurry way day night cold access nothing something anything everything stuff thing things couple-of guess mistake
    bad apologies understanding answer response goal intention impression position take turn case attention respect
    pleasure hope fear worry update note
    """
)
# Subjects of which nothing lasting is told: "the error is ...".
MOMENT_SUBJECTS = _words(
    """
    question problem issue error bug guess point apologies mistake understanding code output result function script
    thought idea concern answer response message text request query bad pleasure turn goal thing opinion word hope
    fear worry feeling impression reasoning regex loop prompt input sentence essay suggestion advice link example
    reply file terminal screen cursor mouse reason intention assumption
    """
)
# People who are "she"; the lists after it: "he", people and pets of any pronoun, and "they".
KIN_HER = _words(
    """
    sister mother mum mom mama daughter wife girlfriend aunt niece grandmother grandma granny nan stepmother
    stepsister stepdaughter mother-in-law sister-in-law daughter-in-law fiancée bride girl woman lady ex-wife
    ex-girlfriend half-sister goddaughter godmother stepmom landlady
    """
)
KIN_HIM = _words(
    """
    brother father dad papa son husband boyfriend uncle nephew grandfather grandpa granddad stepfather stepbrother
    stepson father-in-law brother-in-law son-in-law fiancé groom boy man guy ex-husband ex-boyfriend half-brother
    godson godfather stepdad landlord
    """
)
KIN_ANY = _words(
    """
    partner spouse child kid baby toddler teenager cousin friend boss manager colleague coworker co-worker roommate
    flatmate neighbour neighbor teacher doctor therapist dentist trainer coach mentor client customer tenant cofounder
    co-founder dog cat puppy kitten horse pony rabbit hamster parrot bird fish tortoise turtle guinea-pig pet bunny
    twin fiance fiancee parent grandparent grandchild grandson granddaughter sibling assistant supervisor advisor
    adviser professor lawyer accountant nanny babysitter housemate bandmate teammate lead intern report ex in-law
    student physiotherapist vet director ceo cto colleague's goldfish gecko ferret lizard snake hen llama donkey
    labrador retriever poodle beagle corgi collie spaniel terrier bulldog hedgehog chinchilla rat mouse
    """
)
PLURAL_PEOPLE = _words(
    """
    boys girls teens lads toddlers puppies kittens parents grandparents kids children sons daughters sisters brothers
    siblings twins cats dogs friends cousins colleagues neighbours neighbors students clients in-laws people coworkers
    roommates flatmates grandchildren users customers hens
    """
)
# Nouns for things in the speaker's work and life, even after "the": "the server".
SYSTEM_NOUNS = _words(
    """
    server servers api app application database db repo repository project team backend frontend back-end front-end
    service services cluster pipeline build ci website site deadline meeting budget office client customer company
    product contract invoice order port endpoint library package branch release version bucket domain staging prod
    production environment env schema model dataset suite codebase monorepo stack system platform tool framework sdk
    cli infrastructure infra queue cache gateway proxy firewall network router printer laptop monitor machine
    warehouse shop store restaurant bakery clinic school university department lab startup business firm studio house
    flat apartment cottage car bike boat van truck kids baby wedding flight hotel trip landlord rent mortgage lease
    garden kitchen dog cat puppy kitten party conference launch sprint retro standup stand-up demo migration rollout
    workshop course thesis dissertation paper grant study job role position salary dashboard panel screen page
    checkout crawler worker scheduler cronjob job bot webhook vendor supplier contractor course club band choir league
    store warehouse factory plant farm plot node nodes vm container image registry chart runner tests linter compiler
    interpreter formatter logs metrics alerts backups backup license licence key account subscription plan membership
    room wifi wi-fi password code-name codename kubernetes k8s microservice microservices module plugin extension
    parser renderer docs documentation wiki tracker board channel deploy deployment deployments deploys replica shard
    partition user-base timezone region zone data feed report interview exam appointment surgery operation reservation
    booking conference presentation renovation
    """
)
# Such nouns without an article: "school starts at eight".
BARE_SYSTEMS = _words(
    """
    school work term training practice football swimming nursery daycare pr production prod staging ci deploys
    deployments releases backups logs builds payroll
    """
)
MONTH_NAMES = _words("january february march april may june july august september october november december")
DAY_NAMES = _words("monday tuesday wednesday thursday friday saturday sunday")
# Things on the same day every week, unless it is "a lesson", "this Friday".
WEEKLY = _words(
    """
    standup stand-up retro scrum sync lesson lessons class classes practice training rehearsal rehearsals choir yoga
    pilates zumba football soccer basketball volleyball hockey swimming tennis judo karate ballet gymnastics church mass
    shift shifts gym therapy club deploys deployments releases payroll payday bins trash garbage recycling collection
    school kindergarten daycare seminar seminars lecture lectures tutoring scouts homework-club
    """
)
# Family words used as names: "Mum".
KIN_BARE = _words(
    """
    mum mom dad mummy daddy grandpa grandma granny gran nan nana grandad granddad papa mama aunt uncle auntie
    """
)
# Words in -s that are no plurals.
SINGULAR_S = _words(
    """
    boss bus news series physics maths address business aws kubernetes always process class us this his gas lens
    tennis diabetes wordpress postgres redis kids-club sales-force
    """
)
# Nouns after "had" that tell an event: "had surgery".
HAPPENINGS = _words(
    """
    fall crash puppies kittens baby twins surgery accident operation outage miscarriage party interview wedding
    appendix stroke chemotherapy camping skiing sailing hiking diving travelling honeymoon knee hip transplant
    c-section son daughter boy girl
    """
)
# Verbs whose present tense may tell a plan: "I start on Monday".
PLAN_VERBS = _words(
    """
    start begin leave fly turn move finish graduate retire end arrive return travel open launch land depart meet close
    expire
    """
)
# Numbers as words.
AGES = _words(
    """
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety six seven eight nine ten eleven twelve
    thirteen fourteen fifteen sixteen seventeen three four five two
    """
)
# Nouns for days that return every year.
YEARLY = _words("birthday anniversary birthdays name-day nameday")
# Nouns for things shown in the conversation: "I like the second photo".
CHOICES = _words(
    """
    photo photos picture pictures pic video song meme look sound one ones option version former latter second better
    approach suggestion idea
    """
)
# Verbs of CHOICE_VERBS that with a date tell a plan instead.
CHANGES = _words("migrate switch replace rewrite port retire remove sunset postpone discontinue phase")
# Nouns for what people build or write over a long time.
PROJECTS = _words(
    """
    book novel thesis dissertation app game house website library startup company compiler memoir album paper phd blog
    platform extension plugin boat cabin
    """
)
# Everyday verbs, whose past tense needs a date and a name to be kept.
DEALINGS = _words(
    """
    call phone text message email say tell ask talk speak chat reply answer write send see hear look watch feel think
    know want need like love sleep wake sit stand walk wait read laugh cry
    """
)
# Nouns for what people get or do every day: "bought milk".
EVERYDAY = _words(
    """
    run milk bread pizza dinner lunch breakfast brunch coffee tea food snack snacks groceries bus taxi uber tram metro
    shower bath nap walk dishes laundry door window chair salt pepper glass plate bill bed shop shops supermarket
    store toilet work home call tests batteries light lights time fun dream day night evening morning rice pasta cake
    beer wine early late sleep chat laugh drink drinks haircut tv telly movie film chore chores errands homework
    housework meal sandwich mess rest minute minutes takeaway curry snooze thought breath
    """
)
# Words that show that a clause is not meant literally.
EXAGGERATING = _words("basically practically literally virtually essentially")
# Figures of speech by their verb: they are not meant literally.
FIGURES = {
    "live": (
        "under a rock", "in the moment", "in a bubble", "in a dream", "in denial", "on the edge", "in hell",
        "in the clouds", "in my head", "the dream",
    ),
    "have": (
        "two left feet", "cold feet", "butterflies", "my hands full", "a lot on my plate", "a green thumb", "ants in",
        "eyes in the back", "no words", "all my life",
    ),
    "be": ("on cloud nine", "over the moon", "under the weather", "all ears", "toast", "a zombie", "a ghost"),
    "see": ("red", "stars"),
    "work": ("my ass off", "my butt off", "like a dog", "like a charm", "wonders", "magic"),
}  # fmt: skip
# Adjectives that judge.
OPINIONS = _words(
    """
    tiny huge nice lovely great good bad awful terrible amazing awesome wonderful beautiful ugly fun funny interesting
    boring delicious tasty divine horrible perfect excellent cute sweet weird strange odd important easy hard
    difficult simple complex complicated clear unclear expensive cheap big small old new young loud quiet slow fast
    quick full empty useless useful helpful wrong right correct true false possible impossible best worst better worse
    unacceptable stale missing gone broken down up over off on out ready done late early fine ok okay wet dry dirty
    clean hot cold warm strong weak heavy light hilarious annoying silly stupid crazy mad insane incredible fantastic
    superb mush jelly
    """
)
# Verbs for incidents that are told only of people one knows.
INCIDENTS = _words("crash die break go run fail stop lose leak fall time")
# Verbs of TRIVIAL_FUTURE that with a date do tell a plan.
SERIOUS_FUTURE = _words("be have start go come work run stop give")
# Verbs whose -ing form with a present date tells a plan: "I'm moving this week".
PLANNED_NOW = _words("spend move get fly travel host have visit start")
# Verbs whose -ing form tells a plan without a date: "I'm retiring".
PLANNED_ANYHOW = _words("move retire buy adopt launch relocate marry graduate")
# Words after "I'm a" that tell no trait: "I'm an idiot".
NOT_TRAITS = _words(
    """
    little bit same wrong right lot mess wreck clown genius nightmare joke idiot fool worst best one champions problem
    reason moron loser
    """
)
FAVOURITES = _words("favourite favorite favourites favorites")
# Nouns for the code at hand.
CODE_NOUNS = _words(
    """
    list table array column columns variable string class method dataframe line row object dict dictionary statement
    syntax exception traceback stacktrace log error output loop function script file
    """
)
# Verbs of commands after which a clause is what to say, not a statement: "tell him I'm sick".
SAYING = _words(
    """
    tell say write explain let ask text message email pretend assume draft answer describe imagine act treat reply
    post tweet note translate rewrite summarise summarize compose generate
    """
)
# Words that open a subordinate clause or join two clauses.
CONNECTIVES = _words(
    """
    that if when where how what which who because as so than while before after and or like unless until whether
    """
)
# Words after "I" that begin a statement after a command: "wake me at six I work nights".
BEGUN_ANEW = _words("am have are got live work do go used start never always")
# Prepositions before a "you" that does not make the clause one about the listener.
BESIDE_YOU = _words("with from for at")
# Acronyms that are no names.
TITLES = _words("ceo cto cfo coo vp phd md hr it qa")
# Nouns for things lost or found every day: "lost my keys".
MISLAID = _words("keys key wallet phone glasses way mind track patience count connection signal internet place")
# Nouns after "I'm in" that tell something lasting.
STANDING_IN = _words(
    """
    zone timezone choir band orchestra team club league relationship union charge sales marketing finance education
    management remission recovery year semester grade twenties thirties forties fifties
    """
)
# Nouns after "I'm on" that tell something lasting.
STANDING_ON = _words(
    """
    diet antibiotics antidepressants statins steroids warfarin plan leave team board medication committee council call
    pill insulin tariff tier
    """
)
# Nouns for what belongs to everyone's world.
WORLD_NOUNS = _words(
    """
    body human brain heart universe world ocean atmosphere average king queen pope capital sun moon earth sky
    president population speed area radius answer sum product weather news meaning
    """
)
# People who work for the speaker.
PROFESSIONS = _words(
    """
    cleaner plumber designer nurse gardener driver hairdresser barber tutor landscaper builder electrician pa
    secretary agent broker editor
    """
)
# Words that end a noun phrase.
NOUN_ENDS = _words(
    """
    last next yesterday today tomorrow this and but or so who which that called named because when since it now again
    """
)
GREETINGS = _words("hi hello hey hiya dear")
# Fillers that are such only before a comma or colon.
NEEDS_PAUSE = _words(
    """
    no right look listen see great cool nice perfect first second now then so right note important context background
    update remember sure normally generally personally clearly well
    """
) - {"so", "remember", "note", "now", "then"}
# Verbs after which "your" may stand: "I use your app".
MAY_HAVE_YOURS = _words("use stop cancel buy order have own quit subscribe join leave")
