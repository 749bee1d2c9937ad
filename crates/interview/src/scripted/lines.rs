//! What the scripted candidate says, in the languages of interviews, and the words by which they know what
//! they are asked.

use crate::blueprint::Language;

/// What a candidate is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Nothing: it is goodbye.
    Goodbye,
    /// Whether they want to stop.
    Stopping,
    /// Whether they are ready.
    Ready,
    /// Whether something is all right for them.
    Consent,
    /// Their e-mail address.
    Address,
    /// Their name.
    Name,
    /// Whether there is anything else.
    Ending,
    /// Who they are, and what they do.
    Person,
    /// Anything else: there is a story to tell.
    Other,
}

/// What a candidate says in a language.
#[derive(Debug)]
pub(super) struct Lines {
    /// The words of a question by which its subject is known, the first that fits.
    subjects: &'static [(Subject, &'static [&'static str])],
    pub(super) no_role: &'static str,
    pub(super) ready: &'static str,
    pub(super) yes: &'static str,
    pub(super) goes_on: &'static str,
    /// Their name and their e-mail address.
    pub(super) contact: [&'static str; 2],
    /// Who they are, with `{role}`.
    pub(super) person: &'static str,
    pub(super) nothing_to_add: &'static str,
    pub(super) stops: &'static str,
    /// In turn, each with something to ask about.
    pub(super) stories: &'static [&'static str],
    /// In turn: short answers, and what they ask back.
    pub(super) brief: &'static [&'static str],
    pub(super) asks: &'static [&'static str],
}

impl Lines {
    /// The lines of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::Italian => &ITALIAN,
        }
    }

    /// What the last sentence of these asks about.
    pub(super) fn subject(&self, asked: &str) -> Subject {
        let end = asked.trim_end_matches(|c: char| !c.is_alphanumeric());
        let last = end.rsplit(['.', '?', '!']).next().unwrap_or_default().to_lowercase();
        let found =
            self.subjects.iter().find(|(_, words)| words.iter().any(|it| last.contains(it)));
        found.map_or(Subject::Other, |(subject, _)| *subject)
    }
}

const ENGLISH: Lines = Lines {
    subjects: &[
        (Subject::Goodbye, &["goodbye"]),
        (Subject::Stopping, &["end the interview here", "want to stop", "end here"]),
        (Subject::Ready, &["ready", "can you hear me"]),
        (
            Subject::Consent,
            &["may we", "may i", "is that right", "go on for", "have up to", "shall we"],
        ),
        (Subject::Address, &["e-mail", "email"]),
        (Subject::Name, &["your full name", "your name"]),
        (Subject::Ending, &["anything else", "want to add", "nothing more", "questions for"]),
        (
            Subject::Person,
            &["about yourself", "introduce yourself", "current role", "do you do today"],
        ),
    ],
    no_role: "specialist",
    ready: "Yes, hello. I can hear you well, and I am ready.",
    yes: "Yes.",
    goes_on: "No, let us go on.",
    contact: ["My name is Alex Example.", "alex at example dot com"],
    person: "I work as a {role}, and I have done so for six years. At the moment I am in a team of five \
             people at a company that makes software for hospitals. What I like most is to take something \
             that nobody wants to touch any more and to make it simple again.",
    nothing_to_add: "No, thank you, that was all from me.",
    stops: "I am sorry, I have to stop now.",
    stories: &[
        "Last year we had a system that broke down every Monday morning. I looked at what it did at night, \
         found that two jobs used the same file, and moved one of them. After that it ran for eight months \
         without a single fault.",
        "We had promised a customer to be ready in March, and in January it was clear that this would not \
         work. I went through the list with them, we left out three things that they did not need, and in \
         the end we were a week early.",
        "My own part was to talk to the people who used it. I sat beside four of them for two days and wrote \
         down where they stopped and thought. From these notes we made the plan for the next three months.",
        "The hardest decision was to throw away half a year of work. I had built most of it myself, so it \
         was not easy. But the measurements were clear, and the new way needed only a third of the time.",
        "A colleague and I did not agree on how to test it. We each wrote down what could go wrong, put both \
         lists together, and found that we needed less than either of us had thought.",
        "I measured it before and after. Before, a request took two seconds and one in fifty failed. \
         Afterwards it took three hundred milliseconds, and we have not seen it fail since May.",
        "I learned most when something went wrong. We lost the data of one day because nobody had ever tried \
         the backup. Since then I try it on the first day of each month, and I have shown three others how.",
        "What interests me is that people depend on it every day. I read what you write about the job, and \
         the part about working with those who use it is just what I have been missing.",
    ],
    brief: &[
        "Six years of experience.",
        "A small tool for invoices.",
        "I wrote most of it.",
        "We tested it first.",
        "It went well.",
        "I like the team.",
    ],
    asks: &[
        "Sorry, could you repeat the question?",
        "What do you mean by that?",
        "How large is the team?",
        "Can you say that in other words?",
        "What is the salary for this job?",
    ],
};

const GERMAN: Lines = Lines {
    subjects: &[
        (Subject::Goodbye, &["auf wiedersehen"]),
        (Subject::Stopping, &["hier beenden", "gespräch beenden"]),
        (Subject::Ready, &["bereit", "können sie mich hören"]),
        (Subject::Consent, &["dürfen wir", "darf ich", "stimmt das", "richtig so", "wollen wir"]),
        (Subject::Address, &["e-mail", "mailadresse"]),
        (Subject::Name, &["ihr name", "wie heißen sie"]),
        (Subject::Ending, &["noch etwas", "ergänzen", "nichts mehr gibt", "fragen an"]),
        (Subject::Person, &["über sich", "stellen sie sich", "beruflich", "jetzigen tätigkeit"]),
    ],
    no_role: "Fachkraft",
    ready: "Ja, guten Tag. Ich höre Sie gut und bin bereit.",
    yes: "Ja.",
    goes_on: "Nein, machen wir weiter.",
    contact: ["Ich heiße Alex Beispiel.", "alex at example punkt com"],
    person: "Ich arbeite seit sechs Jahren in diesem Beruf, als {role}. Zurzeit bin ich in einem Team von \
             fünf Leuten bei einer Firma, die Software für Krankenhäuser macht. Am liebsten nehme ich mir \
             etwas vor, das niemand mehr anfassen will, und mache es wieder einfach.",
    nothing_to_add: "Nein, danke, das war alles von mir.",
    stops: "Es tut mir leid, ich muss jetzt aufhören.",
    stories: &[
        "Letztes Jahr hatten wir ein System, das jeden Montagmorgen ausfiel. Ich habe mir angesehen, was es \
         nachts tut, und zwei Programme gefunden, die dieselbe Datei benutzten. Eines davon habe ich \
         verlegt, und danach lief es acht Monate lang ohne einen einzigen Fehler.",
        "Wir hatten einem Kunden versprochen, im März fertig zu sein, und im Januar war klar, dass das nicht \
         geht. Ich bin die Liste mit ihm durchgegangen, wir haben drei Dinge weggelassen, und am Ende waren \
         wir eine Woche früher fertig.",
        "Meine Aufgabe war es, mit den Leuten zu reden, die damit arbeiten. Ich saß zwei Tage lang neben \
         vier von ihnen und habe aufgeschrieben, wo sie stocken. Daraus haben wir den Plan für die nächsten \
         drei Monate gemacht.",
        "Die schwerste Entscheidung war, die Arbeit eines halben Jahres wegzuwerfen. Das meiste davon hatte \
         ich selbst gebaut. Aber die Messungen waren deutlich, und der neue Weg brauchte nur ein Drittel der \
         Zeit.",
        "Ein Kollege und ich waren uns nicht einig, wie wir es prüfen sollen. Jeder hat aufgeschrieben, was \
         schiefgehen kann, und als wir die Listen zusammenlegten, brauchten wir weniger, als jeder von uns \
         gedacht hatte.",
        "Ich habe vorher und nachher gemessen. Vorher dauerte eine Anfrage zwei Sekunden, und eine von \
         fünfzig schlug fehl. Danach waren es dreihundert Millisekunden, und seit Mai ist keine mehr \
         fehlgeschlagen.",
        "Am meisten habe ich gelernt, als etwas schiefging. Wir haben die Daten eines Tages verloren, weil \
         niemand die Sicherung je ausprobiert hatte. Seitdem probiere ich sie am Ersten jedes Monats aus und \
         habe es drei anderen gezeigt.",
        "Mich reizt, dass Menschen sich jeden Tag darauf verlassen. Ich habe gelesen, was Sie über die \
         Stelle schreiben, und die Arbeit mit denen, die es benutzen, ist genau das, was mir gefehlt hat.",
    ],
    brief: &[
        "Sechs Jahre Erfahrung.",
        "Ein kleines Programm für Rechnungen.",
        "Das meiste habe ich geschrieben.",
        "Wir haben es zuerst geprüft.",
        "Es ging gut aus.",
        "Das Team gefällt mir.",
    ],
    asks: &[
        "Entschuldigung, können Sie die Frage wiederholen?",
        "Wie meinen Sie das?",
        "Wie groß ist das Team?",
        "Können Sie das anders sagen?",
        "Wie hoch ist das Gehalt?",
    ],
};

const ITALIAN: Lines = Lines {
    subjects: &[
        (Subject::Goodbye, &["arrivederci"]),
        (Subject::Stopping, &["terminare qui", "concludere qui", "finire qui", "interrompere"]),
        (Subject::Ready, &["iniziare", "mi sente", "dica semplicemente di sì"]),
        (Subject::Consent, &["possiamo", "posso", "è corretto", "è giusto"]),
        (Subject::Address, &["e-mail", "indirizzo"]),
        (Subject::Name, &["suo nome", "come si chiama"]),
        (Subject::Ending, &["altro", "aggiungere", "domande per"]),
        (Subject::Person, &["di sé", "si presenti", "si occupa", "ruolo attuale"]),
    ],
    no_role: "specialista",
    ready: "Sì, buongiorno. La sento bene e sono a disposizione.",
    yes: "Sì.",
    goes_on: "No, andiamo avanti.",
    contact: ["Mi chiamo Alex Esempio.", "alex chiocciola example punto com"],
    person: "Lavoro da sei anni in questo campo, come {role}. In questo momento faccio parte di una squadra \
             di cinque persone in un'azienda che produce software per gli ospedali. Mi piace soprattutto \
             prendere qualcosa che nessuno vuole più toccare e renderlo di nuovo semplice.",
    nothing_to_add: "No, grazie, da parte mia è tutto.",
    stops: "Mi dispiace, adesso devo smettere.",
    stories: &[
        "L'anno scorso avevamo un sistema che si fermava ogni lunedì mattina. Ho guardato che cosa faceva di \
         notte, ho trovato due programmi che usavano lo stesso file e ne ho spostato uno. Poi ha funzionato \
         per otto mesi senza un solo guasto.",
        "Avevamo promesso a un cliente di finire a marzo, e a gennaio era chiaro che non era possibile. Ho \
         rivisto l'elenco insieme a lui, abbiamo tolto tre cose che non servivano, e alla fine abbiamo \
         consegnato con una settimana di anticipo.",
        "Il mio compito era parlare con chi lo usava. Sono stato due giorni accanto a quattro di loro e ho \
         scritto dove si fermavano a pensare. Da questi appunti abbiamo fatto il piano per i tre mesi \
         successivi.",
        "La decisione più difficile è stata buttare via sei mesi di lavoro. Ne avevo costruito io la maggior \
         parte. Ma le misure erano chiare, e il nuovo modo richiedeva solo un terzo del tempo.",
        "Con un collega non eravamo d'accordo su come provarlo. Ognuno ha scritto che cosa poteva andare \
         storto, abbiamo unito i due elenchi, e serviva meno di quanto pensavamo.",
        "L'ho misurato prima e dopo. Prima una richiesta durava due secondi e una su cinquanta falliva. Dopo \
         durava trecento millisecondi, e da maggio non ne è fallita nessuna.",
        "Ho imparato di più quando qualcosa è andato male. Abbiamo perso i dati di un giorno perché nessuno \
         aveva mai provato la copia di sicurezza. Da allora la provo il primo di ogni mese e l'ho mostrato a \
         tre colleghi.",
        "Mi interessa che le persone ne abbiano bisogno ogni giorno. Ho letto quello che scrivete sul \
         lavoro, e la parte con chi lo usa è proprio quello che mi mancava.",
    ],
    brief: &[
        "Sei anni di esperienza.",
        "Un piccolo programma per le fatture.",
        "L'ho scritto quasi tutto io.",
        "Prima lo abbiamo provato.",
        "È andata bene.",
        "La squadra mi piace.",
    ],
    asks: &[
        "Scusi, può ripetere la domanda?",
        "Che cosa intende?",
        "Quanto è grande la squadra?",
        "Può dirlo con altre parole?",
        "Qual è lo stipendio?",
    ],
};
