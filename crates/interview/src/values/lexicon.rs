//! The words of each language that have a meaning in a value, or around one.

use crate::blueprint::Language;

/// The meaning of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// A sign of an address or a number.
    Sign(char),
    /// A letter by its name.
    Letter(char),
    /// "Oh": a zero among digits.
    Oh,
    /// The next letter or digit so many times.
    Times(usize),
    /// What follows mends what was said.
    Correction,
    /// What was said before does not count.
    Restart,
    /// A sound, or words while somebody thinks.
    Filler,
    /// The number of an extension follows.
    Extension,
}

/// The words of a language.
pub(super) struct Lexicon {
    /// Phrases of at most four words, with a `|` between those of one sense.
    phrases: &'static [(Sense, &'static str)],
    /// Words that lead directly to a value: "at", "is", "number".
    links: &'static str,
    /// Those after which a value begins whatever was before: "is".
    copulas: &'static str,
    /// Other words in front of a value.
    carriers: &'static str,
    /// Words with which something begins that is not part of the value before it.
    tails: &'static str,
    /// Words that no name has in it.
    nameless: &'static str,
    /// What stands between a letter and a word that begins with it.
    as_in: &'static str,
    /// "And".
    ands: &'static str,
    /// The words of the spelling alphabet.
    alphabet: &'static str,
}

impl Lexicon {
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::Italian => &ITALIAN,
        }
    }

    /// The meaning of a phrase. The signs of English addresses are understood in all languages.
    pub(super) fn sense(&self, phrase: &str) -> Option<Sense> {
        let is_it = |(_, all): &&(Sense, &str)| all.split('|').any(|one| one == phrase);
        let own = self.phrases.iter().find(is_it);
        let common = || SIGNS.iter().find(is_it);
        own.or_else(common).map(|(sense, _)| *sense)
    }

    pub(super) fn is_link(&self, word: &str) -> bool {
        holds(self.links, word) || self.is_copula(word)
    }

    /// "Is", and "e-mail's".
    pub(super) fn is_copula(&self, word: &str) -> bool {
        let has_it = |stem: &str| holds(self.carriers, stem) || holds(self.links, stem);
        holds(self.copulas, word) || word.strip_suffix("'s").is_some_and(has_it)
    }

    pub(super) fn is_lead(&self, word: &str) -> bool {
        holds(self.carriers, word) || self.is_link(word)
    }

    pub(super) fn is_tail(&self, word: &str) -> bool {
        holds(self.tails, word)
    }

    pub(super) fn is_and(&self, word: &str) -> bool {
        holds(self.ands, word)
    }

    pub(super) fn is_nameless(&self, word: &str) -> bool {
        holds(self.nameless, word)
    }

    pub(super) fn is_as_in(&self, phrase: &str) -> bool {
        self.as_in.split('|').any(|one| one == phrase)
    }

    /// Whether a word stands for its first letter.
    pub(super) fn spells(&self, word: &str) -> bool {
        holds(self.alphabet, word) || holds(ENGLISH.alphabet, word)
    }

    pub(super) fn knows(&self, word: &str) -> bool {
        self.is_lead(word) || self.is_tail(word)
    }
}

fn holds(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

const SIGNS: &[(Sense, &str)] = &[
    (Sense::Sign('@'), "at"),
    (Sense::Sign('.'), "dot"),
    (Sense::Sign('-'), "dash|minus"),
    (Sense::Sign('_'), "underscore|under score"),
    (Sense::Sign('+'), "plus"),
];

const ENGLISH: Lexicon = Lexicon {
    phrases: &[
        (Sense::Sign('@'), "at|at sign|at symbol|at-sign"),
        (Sense::Sign('.'), "dot|point|period|full stop"),
        (Sense::Sign('-'), "dash|hyphen|minus|minus sign"),
        (Sense::Sign('_'), "underscore|under score|underline"),
        (Sense::Sign('+'), "plus|plus sign"),
        (Sense::Sign('\''), "apostrophe"),
        (Sense::Sign('/'), "slash|forward slash"),
        (Sense::Letter('w'), "double u|double-u|double you"),
        (Sense::Letter('z'), "zed|zee"),
        (Sense::Letter('h'), "aitch"),
        (Sense::Oh, "oh"),
        (Sense::Times(2), "double"),
        (Sense::Times(3), "triple|treble"),
        (Sense::Times(4), "quadruple"),
        (
            Sense::Correction,
            "no|nope|no wait|wait|wait no|no sorry|sorry|sorry no|i'm sorry|oh sorry|oh no|i mean|\
             i meant|no i mean|no i meant|sorry i mean|sorry i meant|actually|no actually|\
             actually no|correction|oops|my mistake|rather|or rather|make that|no make that|\
             excuse me|no no|wait sorry",
        ),
        (
            Sense::Restart,
            "let me start again|let me start over|start again|start over|from the beginning|\
             from the start|let me begin again|scratch that|forget that|i'll start again|\
             i'll start over",
        ),
        (
            Sense::Filler,
            "um|umm|uh|uhm|er|erm|hmm|hm|mm|ah|well|so|okay|ok|yes|yeah|yep|yup|sure|of course|\
             right|alright|all right|certainly|absolutely|gladly|then|and then|followed by|\
             you know|let me see|let me think|let me check|let me look|one moment|one second|\
             one sec|a moment|a second|just a moment|just a second|just a sec|hang on|hold on|\
             give me a second|give me a moment|no problem|hello|hi|happily|wait a moment|\
             wait a second|lowercase|lower case|uppercase|upper case|capital|hey",
        ),
        (Sense::Extension, "extension|ext|extension number|with extension|extn"),
    ],
    links: "at on under by via to address e-mail email mail number phone mobile cell cellphone \
            telephone landline whatsapp with me",
    copulas: "is it's its that's thats be it'd i'm am here's are",
    carriers: "my the you can could may might reach us contact write call send text best way get \
               hold of it this that would will should use please and for here i we have in touch \
               personal private work business primary main current new your an a drop line \
               message address e-mail email mail e-mails emails number numbers phone mobile cell \
               me one try just go ahead goes as follows contacted reached reachable available got \
               office home direct handle think still usual normally usually always tel area code \
               country",
    tails: "please thanks thank that's thats that it's and but all in no without free available \
            after before between from until call only best anytime any mornings evenings weekdays \
            during if when i'm i've i'd you my which because so okay ok right reachable cheers it \
            this usually ideally preferably lowercase lower feel",
    nameless: "i my me you your is are was it's that's this have had can would not don't does \
               and what why how who because about at with told already in the of from",
    as_in: "as in|as an|as|for|like|like in|is for",
    ands: "and",
    alphabet: "alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo \
               lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey \
               whisky xray x-ray yankee zulu",
};

const GERMAN: Lexicon = Lexicon {
    phrases: &[
        (
            Sense::Sign('@'),
            "ät|at|et|klammeraffe|at-zeichen|ät-zeichen|at zeichen|ät zeichen|affenschwanz",
        ),
        (Sense::Sign('.'), "punkt|dot"),
        (Sense::Sign('-'), "bindestrich|minus|minuszeichen|mittelstrich"),
        (Sense::Sign('_'), "unterstrich|underscore|tiefstrich"),
        (Sense::Sign('+'), "plus|pluszeichen"),
        (Sense::Sign('\''), "apostroph|hochkomma"),
        (Sense::Sign('/'), "schrägstrich"),
        (Sense::Letter('y'), "ypsilon|üpsilon"),
        (Sense::Letter('ß'), "eszett|scharfes s"),
        (Sense::Letter('j'), "jot"),
        (Sense::Letter('v'), "vau"),
        (Sense::Letter('z'), "zett"),
        (Sense::Letter('x'), "ix"),
        (Sense::Times(2), "doppel|doppelt|doppelte|zweimal|zweimal die"),
        (Sense::Times(3), "dreifach|dreimal|dreimal die"),
        (Sense::Times(4), "viermal|viermal die"),
        (
            Sense::Correction,
            "nein|nee|nein warte|nein warten sie|nein moment|nein halt|nein sorry|\
             nein entschuldigung|halt|falsch|sorry|entschuldigung|entschuldigen sie|verzeihung|\
             ich meine|ich meinte|nein ich meine|nein ich meinte|quatsch|korrektur|ach nein|stopp|\
             stop|vielmehr|besser gesagt|warte|warten sie|pardon|moment nein|oder vielmehr|\
             ich korrigiere|nein nein",
        ),
        (
            Sense::Restart,
            "noch einmal von vorne|noch einmal von vorn|nochmal von vorne|nochmal von vorn|\
             noch mal von vorne|noch mal von vorn|von vorne|von vorn|ich fange noch mal an|\
             ich fange nochmal an|ich fange noch einmal an|noch einmal von anfang|von anfang an",
        ),
        (
            Sense::Filler,
            "äh|ähm|öhm|hm|hmm|mhm|also|ja|okay|ok|gut|genau|moment|einen moment|kleinen moment|\
             dann|und dann|mal sehen|moment mal|sekunde|eine sekunde|gerne|gern|natürlich|klar|\
             na klar|sicher|selbstverständlich|ja klar|ja gerne|großes|großgeschrieben|kleines|\
             groß|hallo|danach|so|nun|warten sie kurz|warte kurz",
        ),
        (Sense::Extension, "durchwahl|apparat|nebenstelle"),
    ],
    links: "unter an auf per via adresse e-mail email mail nummer telefonnummer handynummer \
            mobilnummer rufnummer handy telefon mobil festnetz whatsapp e-mail-adresse \
            emailadresse mailadresse mail-adresse mir bin mobiltelefon festnetznummer",
    copulas: "ist lautet wäre heißt heisst ist's lauten sind",
    carriers: "meine mein die der das sie ihr ihnen du können kann könnt mich mir erreichen \
               erreicht erreichst erreichbar schreiben schreib schreibt schicken am besten bitte \
               e-mail email mail private privat geschäftliche dienstliche aktuelle neue es ich \
               habe und hier man rufen ruft anrufen kontakt kontaktieren telefonisch jederzeit \
               immer einfach dann unter bin nummer adresse von mir wir haben zu über den dem \
               einer eine aktuell tel vorwahl",
    tails: "bitte danke und aber alles klein kleingeschrieben zusammen zusammengeschrieben ohne \
            erreichbar ab nach vor zwischen von bis nur am das ich sie abends morgens tagsüber \
            vormittags nachmittags werktags wenn jederzeit vielen dankeschön meistens rufen gern \
            gerne ganz in",
    nameless: "ich mein meine mir mich sie ist bin war nicht kann haben habe das es warum \
               wie was wer weil aber schon gesagt auf mit für und im in beim zum",
    as_in: "wie|wie in|für|von",
    ands: "und",
    alphabet: "anton ärger berta caesar cäsar charlotte dora emil friedrich gustav heinrich ida \
               julius kaufmann konrad ludwig martha nordpol otto ökonom paula quelle richard \
               samuel siegfried schule theodor ulrich übermut viktor wilhelm xanthippe ypsilon \
               zacharias zeppelin",
};

const ITALIAN: Lexicon = Lexicon {
    phrases: &[
        (Sense::Sign('@'), "chiocciola|chiocciolina|at|et"),
        (Sense::Sign('.'), "punto|dot"),
        (Sense::Sign('-'), "trattino|meno|lineetta|trattino alto|trattino medio"),
        (Sense::Sign('_'), "trattino basso|underscore|linea bassa|sottolineato"),
        (Sense::Sign('+'), "più|piu|plus"),
        (Sense::Sign('\''), "apostrofo"),
        (Sense::Sign('/'), "barra|slash"),
        (Sense::Letter('w'), "doppia vu|doppia v|vu doppia|doppio vu"),
        (Sense::Letter('x'), "ics"),
        (Sense::Letter('y'), "ipsilon|i greca"),
        (Sense::Letter('j'), "i lunga|gei"),
        (Sense::Letter('k'), "kappa|cappa"),
        (Sense::Letter('z'), "zeta"),
        (Sense::Letter('h'), "acca"),
        (Sense::Letter('f'), "effe"),
        (Sense::Letter('l'), "elle"),
        (Sense::Letter('m'), "emme"),
        (Sense::Letter('n'), "enne"),
        (Sense::Letter('r'), "erre"),
        (Sense::Letter('s'), "esse"),
        (Sense::Letter('b'), "bi"),
        (Sense::Letter('c'), "ci"),
        (Sense::Letter('g'), "gi"),
        (Sense::Letter('p'), "pi"),
        (Sense::Letter('t'), "ti"),
        (Sense::Letter('v'), "vu"),
        (Sense::Letter('q'), "cu"),
        (Sense::Times(2), "doppio|doppia|due volte"),
        (Sense::Times(3), "triplo|tripla|tre volte"),
        (Sense::Times(4), "quattro volte"),
        (
            Sense::Correction,
            "no|anzi|no aspetta|no aspetti|aspetta|aspetti|no scusi|no scusa|scusi|scusa|mi scusi|\
             volevo dire|no volevo dire|scusi volevo dire|intendo|intendevo|cioè|no cioè|\
             ho sbagliato|no ho sbagliato|mi sono sbagliato|mi sono sbagliata|correggo|no anzi|\
             anzi no|scusate|pardon|mi correggo|no no|o meglio",
        ),
        (
            Sense::Restart,
            "ricomincio|da capo|ricomincio da capo|dall'inizio|ricominciamo|ripartiamo|\
             ripeto da capo|ricomincio dall'inizio",
        ),
        (
            Sense::Filler,
            "eh|ehm|mah|uhm|allora|sì|si|certo|ok|okay|bene|ecco|dunque|un attimo|un momento|\
             un secondo|poi|e poi|vediamo|certamente|va bene|volentieri|un attimino|\
             mi faccia vedere|sì certo|esatto|quindi|buongiorno|aspetti un attimo|\
             aspetti un momento|aspetta un attimo|maiuscola|minuscola|maiuscolo",
        ),
        (Sense::Extension, "interno|estensione"),
    ],
    links: "al allo su sul alla all'indirizzo indirizzo mail email e-mail numero telefono \
            cellulare per con tramite sono whatsapp fisso chiamo mi",
    copulas: "è sarebbe sarà",
    carriers: "il mio la mia mi può puoi potete possono contattare contattarmi scrivere scrivermi \
               scrivetemi scriva scrivi raggiungere chiamare chiamarmi chiamatemi trova trovate \
               trovarmi un l'indirizzo posta elettronica di questo questa personale lavoro \
               privata numero cellulare telefono lo indirizzo ho uso le do dato mandare mandi una \
               anche sempre direttamente via qui ed tel prefisso",
    tails: "grazie prego per tutto minuscolo minuscola attaccato attaccata senza dopo prima dalle \
            alle dalla solo sono libero libera disponibile quando la il che chiami chiamate sera \
            mattina pomeriggio ma però questo questa è fra tra solitamente mille ed",
    nameless: "io mio sono questo questa è non posso che cosa perché come già detto ho in \
               nel nella",
    as_in: "come|come in|di|de",
    ands: "e ed",
    alphabet: "ancona bologna como domodossola empoli firenze genova hotel imola jolly jersey \
               kappa livorno milano napoli otranto palermo quadro quarto roma savona torino udine \
               venezia washington xilofono yacht york zara",
};
