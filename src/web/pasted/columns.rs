//! What the heading of a column says that stands in it. What stands in it counts more: see `table.rs`.

/// What a heading says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// Addresses, and nothing else is meant.
    Email,
    /// Addresses of somebody: of a manager, at home.
    SomeEmail,
    /// Whole names.
    FullName,
    /// Names, or surnames where first names have a column of their own.
    Name,
    /// First names.
    First,
    /// Names between the two.
    Middle,
    /// Surnames.
    Last,
    /// Anything else.
    Other,
}

const EMAIL: &str = "email emails mail mails emailaddress emailaddresses mailaddress emailadresse \
    emailadressen mailadresse emailid courriel correo correoelectronico indirizzoemail \
    indirizzomail postaelettronica adresseemail adressemail";
const MAIL_WORDS: &str =
    "mail mails email emails emailaddress emailadresse mailadresse courriel correo";
const FULL_NAME: &str = "fullname fullnames displayname nameinfull candidate candidates candidatename \
    candidatesname candidatenames candidatefullname nameofcandidate applicant applicants applicantname \
    participant participants person people contact contactname attendee kandidat kandidatin kandidaten \
    kandidatinnen bewerber bewerberin bewerbername bewerbende teilnehmer teilnehmerin teilnehmende \
    vollername vollständigername vorundnachname vorundzuname vornameundnachname vornamenachname \
    namevorname namevornamen nomecompleto nomeecognome cognomeenome nomecognome cognomenome nominativo \
    candidato candidata candidati persona nomcomplet nometprénom prénometnom nombrecompleto \
    nombreyapellidos";
const NAME: &str = "name names namen nom nome nomi nombre nombres naam";
const FIRST: &str = "first firstname firstnames givenname givennames given forename forenames vorname \
    vornamen rufname prénom prénoms prenom voornaam";
const MIDDLE: &str = "middle middlename middlenames middleinitial zweitername secondonome";
const LAST: &str = "last lastname lastnames surname surnames familyname nachname nachnamen familienname \
    zuname cognome cognomi nomdefamille apellido apellidos achternaam";
const OTHER: &str = "id ids no nr num number nummer numero lfdnr phone phonenumber telephone telefon \
    telefonnummer telefono tel mobile mobil mobilephone handy cell cellulare company firma organisation \
    organization unternehmen azienda department abteilung reparto title titel titolo role rolle ruolo \
    position stelle job jobtitle status stato notes note notizen bemerkung bemerkungen comment comments \
    kommentar commenti city ort stadt città country land paese address adresse indirizzo street straße \
    date datum data link linkedin url website language sprache lingua skill skills score source quelle cv \
    resume résumé lebenslauf salutation anrede prefix suffix plz zip added created gender kontakt contatto \
    experience location team group gruppe";

/// What a cell says if it is a heading; nothing if it is none that we know.
pub(super) fn heading(cell: &str) -> Option<Heading> {
    let cell = cell.to_lowercase();
    let letters: String = cell.chars().filter(|c| c.is_alphanumeric()).collect();
    if letters.is_empty() {
        return None;
    }
    let is_in = |words: &str, word: &str| words.split_whitespace().any(|known| known == word);
    let known = [
        (EMAIL, Heading::Email),
        (FULL_NAME, Heading::FullName),
        (NAME, Heading::Name),
        (FIRST, Heading::First),
        (MIDDLE, Heading::Middle),
        (LAST, Heading::Last),
        (OTHER, Heading::Other),
    ];
    let found = known.into_iter().find(|(words, _)| is_in(words, &letters));
    if let Some((_, heading)) = found {
        return Some(heading);
    }
    let mut words = cell.split(|c: char| !c.is_alphanumeric());
    words.any(|word| is_in(MAIL_WORDS, word)).then_some(Heading::SomeEmail)
}

/// Whether cells are headings: one says name or address, or several say what else there is.
pub(super) fn are_headings<S: AsRef<str>>(cells: &[S]) -> bool {
    let full = cells.iter().map(AsRef::as_ref).filter(|cell| !cell.trim().is_empty());
    let found: Vec<Option<Heading>> = full.clone().map(heading).collect();
    let known: Vec<Heading> = found.iter().copied().flatten().collect();
    let others = known.iter().filter(|heading| **heading == Heading::Other).count();
    let has_digit = full.clone().any(|cell| cell.chars().any(char::is_numeric));
    let has_address = full.clone().any(|cell| cell.contains('@'));
    !has_address
        && !known.is_empty()
        && known.len() * 2 >= found.len()
        && (others < known.len() || (others > 1 && !has_digit))
}
