//! The closed classes of words by which descriptions are told from speech, in three languages. Each word
//! stands between spaces.

/// What a face, a body or a breath does, in English.
pub(super) const FACE: &str = " smile nod laugh chuckle giggle grin smirk sigh pause lean tilt \
    shrug wink blink beam frown \
    cough gasp hum exhale inhale breathe whisper murmur mutter clap applaud gesture gesticulate \
    hesitate ponder stammer stutter squint yawn sniff gulp wince fidget snicker snort cackle bow \
    gaze glance stare chortle sob weep groan muse scribble jot sip wave ";

/// The same in the third person of German and Italian.
pub(super) const FINITE: &str = " lächelt nickt lacht schmunzelt grinst seufzt räuspert kichert \
    zwinkert blinzelt pausiert \
    wartet überlegt lehnt beugt neigt atmet flüstert murmelt zuckt runzelt gestikuliert blättert \
    winkt klatscht hustet hüstelt strahlt zögert schweigt notiert tippt stockt grübelt sinniert \
    sorride annuisce ride ridacchia sospira sogghigna ammicca tossisce sussurra mormora sbuffa \
    esita respira inspira espira applaude sghignazza gesticola attende riflette tace arrossisce ";

/// What somebody does who says nothing, in English.
pub(super) const IDLE: &str =
    " wait listen think look type write reflect consider read speak talk sit stand ";

/// What somebody waits for.
pub(super) const AWAITED: &str = " for moment second while answer response reply antwort risposta ";

/// The same in German and Italian, with the particle that a verb may need.
pub(super) const GO_WITHOUT_OBJECT: &str = " denkt hört schaut blickt hält schreibt liest sieht \
    spricht aspetta ascolta pensa scrive \
    guarda ";

/// Things that are heard or seen of somebody.
pub(super) const HEADS: &str = " pause pauses silence beat laugh laughter chuckle giggle smile grin \
    nod sigh shrug wink \
    breath cough gasp applause frown smirk gesture stille lachen lächeln nicken seufzen räuspern \
    schmunzeln atemzug gelächter schweigen schulterzucken pausa silenzio sorriso risata risatina \
    risate sospiro cenno respiro applausi ";

/// Things that are so only behind a preposition: "in a warm tone".
pub(super) const TONES: &str = " tone voice warmth enthusiasm curiosity empathy stimme ton tonfall \
    wärme begeisterung neugier \
    tono voce calore entusiasmo whisper interest excitement sympathy surprise flüsterton \
    interesse sussurro ";

/// Parts of a body, and what somebody holds or sits at.
pub(super) const PROPS: &str = " glasses pen pencil water coffee tea notes note papers paper pages \
    page hands hand arms legs \
    head chin eyebrow eyebrows eyes hair throat chair keyboard desk posture finger fingers \
    shoulders lips breath beard brow clipboard notebook glass cup mug clock watch screen brille \
    stift wasser kaffee notizen unterlagen hände hand arme kopf kinn augenbraue augenbrauen \
    augen haar haare stuhl tastatur tisch schluck luft schultern stirn uhr lippen occhiali penna \
    acqua appunti nota fogli mani braccia testa capo mento sopracciglio sopracciglia occhi \
    capelli gola sedia tastiera scrivania sorso spalle voce orologio fronte ";

/// Verbs that say little without their object.
pub(super) const LIGHT_VERBS: &str =
    " takes gives lets makes draws macht nimmt holt gibt lässt zeigt fa tira prende ";

/// The ways in which something is said.
pub(super) const MANNERS: &str = " softly warmly gently quietly kindly thoughtfully slowly calmly \
    cheerfully playfully \
    encouragingly reassuringly sympathetically nervously excitedly brightly lightly curiously \
    knowingly politely patiently attentively sincerely tenderly smilingly closely briefly amused \
    intrigued delighted leise sanft freundlich herzlich nachdenklich fröhlich aufmunternd \
    ermutigend verständnisvoll neugierig amüsiert interessiert lebhaft bedächtig ernst \
    aufmerksam zustimmend kurz gentilmente dolcemente calorosamente sottovoce lentamente \
    pacatamente cordialmente sorridente pensieroso pensierosa incoraggiante divertito divertita \
    piano thoughtful surprised pleased enthusiastically empathetically apologetically jokingly ";

/// Words that join others or weigh them.
pub(super) const AND: &str = " and und e ed very slightly sehr leicht molto then dann poi ";

pub(super) const ARTICLES: &str = " a an the her his their one der die das den dem des ein eine \
    einen einem einer seine ihre \
    seinen ihren il lo la l i gli le un una uno ";

/// Where a movement goes, or where somebody is.
pub(super) const BEARINGS: &str = " at to toward towards into through over around onto in auf an zu \
    durch über um aus ins zum \
    zur im am al allo alla verso nel nella sul sulla fuori ";

/// The same, where no thing stands before it: "bugs in production" is no movement.
pub(super) const INTO: &str = " into toward towards through onto ";

/// What follows a German or an Italian verb, and no English word.
pub(super) const GERMAN_OBJECTS: &str = " der den dem des ein eine einen einem auf durch über aus \
    ins zum zur im sich seine seinen \
    ihre ihren die das ";
pub(super) const ITALIAN_OBJECTS: &str = " il lo la l i gli le un una uno verso ";

/// What belongs to a verb of movement.
pub(super) const PARTICLES: &str = " up down forward forwards back backwards away off closer aside \
    nach zu inne mit vor zurück \
    weg auf sich avanti indietro ";

pub(super) const PREPOSITIONS: &str = " with in after mit nach in im con dopo ";

/// Who acts where nobody else is named.
pub(super) const SUBJECTS: &str = " he she they er sie es lui lei interviewer interviewerin ";

/// Words for the speaker and the listener.
pub(super) const PERSONS: &str = " m d ll ve me my mine myself we us our ours you your yours \
    yourself ich mich mir mein meine \
    meinen meinem meiner wir uns unser unsere unseren unserem du dich dir dein deine deinen \
    deinem euch euer eure io mi mio mia miei mie noi nostro nostra tu te ti tuo tua tuoi vi voi \
    vostro vostra suo sua suoi ";

/// Verbs that make a statement of what stands around them.
pub(super) const AUXILIARIES: &str = " is are was were am be been being have has had do does did \
    can could will would should may \
    might must shall not t never ist sind war waren wäre hat habe haben hatte kann können könnte \
    darf dürfen soll sollte muss müssen wird werden würde nicht nichts è sono era può può \
    possiamo possono deve non va sarà sarebbe ";

/// Words that statements and requests begin with, and no description.
pub(super) const OPENERS: &str = " no yes please if whether when while because since so but or \
    though although unless only just \
    also too even maybe perhaps probably roughly about approximately say for of by like as per \
    via versus etc than that this these those it there here what who which where why how all any \
    some every each other such same thanks thank sorry welcome okay ok sure right well oh ah hey \
    hello hi good great nice fine interesting including excluding assuming considering regarding \
    during depending according speaking take feel let try tell think see look don without free \
    whenever until before basically honestly obviously hopefully generally actually really \
    usually possibly ideally preferably personally finally exactly early family mostly mainly \
    partly largely especially particularly specifically currently recently previously nein ja \
    bitte wenn falls ob weil da aber oder auch nur noch schon etwa ungefähr circa rund zum zur \
    für von vom bei wie als dass dies diese danke entschuldigung gut genau klar keine kein kurz \
    ganz gern gerne ohne übrigens vielleicht also beispielsweise no sì prego per se quando \
    perché quindi ma o anche solo circa come di da del della che questo questa quello grazie \
    scusi bene certo senza forse magari ";

/// Words that end like a third person's verb and are none.
pub(super) const NO_VERBS: &str = " yes thanks perhaps always sometimes besides afterwards towards \
    regards ours yours theirs \
    hers others details examples questions tests days weeks months years hours minutes numbers \
    names lots loads heaps congrats cheers greetings nowadays overseas upwards downwards \
    backwards forwards links words teams projects nicht jetzt selbst meist fast sonst erst gut \
    leicht vielleicht seit dort laut echt recht zuletzt zuerst insgesamt nett gesagt gemeint \
    überhaupt direkt konkret statt samt bekannt oft weit kommt bereit nächst zusammengefasst \
    vorausgesetzt unbekannt erlaubt erwünscht ";

/// Verbs by which something is stated though nobody is named: "makes sense", "kommt drauf an".
pub(super) const ASSERTIONS: &str = " sounds seems makes depends means matters works helps counts \
    applies includes needs goes \
    saves costs covers happens feels remains stays belongs relates refers follows starts begins \
    ends comes speaks stands geht dauert heißt hängt gilt gibt reicht passt stimmt klingt bleibt \
    zählt hilft braucht lohnt liegt steht betrifft gehört bedeutet stammt funktioniert existiert \
    passiert beginnt endet findet spielt dipende vale basta conta serve significa importa \
    riguarda resta ";

/// What a statement on time or effort ends with: "takes a minute".
pub(super) const TIMES: &str = " minute minutes second seconds moment lot bit while time sense day \
    days week weeks year years \
    long two three sekunde sekunden minute minuten zeit secondi secondo minuti minuto tempo ";

/// Verbs that make a statement behind an Italian "si".
pub(super) const REFLEXIVE_ASIDES: &str =
    " intende fa capisce può tratta dice sa vede spera parla immagina usa chiama ";
