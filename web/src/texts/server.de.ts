import type { Sentences } from './index';

/**
 * The server's sentences in German, by the English ones as they stand in its source; `{…}` is what is filled in, and
 * `{0}`, `{1}` … are those that have no name there.
 */
export const sentences: Sentences = {
  // Accounts and passwords
  'The first account was made already. Sign in, or ask for an account.':
    'Das erste Konto gibt es schon. Melden Sie sich an oder bitten Sie um ein Konto.',
  'This is not the code that the program has printed when it started. Open the address that it has printed.':
    'Das ist nicht die Kennzahl, die das Programm beim Start ausgegeben hat. Öffnen Sie die Adresse, die es ausgegeben hat.',
  'Too many passwords were tried for this address. Wait a minute, then try again.':
    'Für diese Adresse wurden zu viele Passwörter probiert. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  'The address or the password is wrong. Check both, or ask an admin for a new link.':
    'Die Adresse oder das Passwort ist falsch. Prüfen Sie beides oder bitten Sie einen Admin um einen neuen Link.',
  'This link was used already, or its time is over. Ask an admin for a new one.':
    'Dieser Link wurde schon verwendet oder ist abgelaufen. Bitten Sie einen Admin um einen neuen.',
  'A key has no password. Sign in as a person.': 'Ein Schlüssel hat kein Passwort. Melden Sie sich als Person an.',
  'This is not your password so far.': 'Das ist nicht Ihr bisheriges Passwort.',
  'This address has an account already. Make a new link for it instead.':
    'Zu dieser Adresse gibt es schon ein Konto. Legen Sie stattdessen einen neuen Link dafür an.',
  'Nobody would be admin any more. Make somebody else an admin first.':
    'Dann wäre niemand mehr Admin. Geben Sie zuerst jemand anderem diese Rolle.',
  'There is no such key.': 'Diesen Schlüssel gibt es nicht.',
  'Too many people sign in at this moment. Wait a few seconds, then try again.':
    'Im Augenblick melden sich zu viele an. Warten Sie ein paar Sekunden und versuchen Sie es noch einmal.',
  'There were too many sign-ins from your network. Wait a minute, then try again.':
    'Aus Ihrem Netz wurde zu oft versucht, sich anzumelden. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  'The first account is made at the machine on which this server runs. To make it from elsewhere, set web.public_url and start the server again: it then prints a code.':
    'Das erste Konto wird an dem Rechner angelegt, auf dem dieser Server läuft. Um es von woanders anzulegen, setzen Sie web.public_url und starten Sie den Server neu: Er gibt dann eine Kennzahl aus.',
  'There is no such account.': 'Dieses Konto gibt es nicht.',
  "This server takes no passwords. Sign in with your organisation's account.":
    'Dieser Server nimmt keine Passwörter an. Melden Sie sich mit dem Konto Ihrer Organisation an.',
  'This server takes no accounts from elsewhere. Sign in with a password.':
    'Dieser Server nimmt keine Konten von anderswo an. Melden Sie sich mit einem Passwort an.',
  'Type a name.': 'Geben Sie einen Namen ein.',
  'This has {chars} characters; {NAME_CHARS_MAX} are the most. Shorten it.':
    'Das sind {chars} Zeichen; höchstens {NAME_CHARS_MAX} sind möglich. Kürzen Sie es.',
  'This holds a line break or an invisible mark. Type it anew.':
    'Darin ist ein Zeilenumbruch oder ein unsichtbares Zeichen. Geben Sie es neu ein.',
  'This has no letter in it. Type a name.': 'Darin ist kein Buchstabe. Geben Sie einen Namen ein.',
  'Type an e-mail address, {example}.': 'Geben Sie eine E-Mail-Adresse ein, {example}.',
  'This is no e-mail address. Type one, {example}.': 'Das ist keine E-Mail-Adresse. Geben Sie eine ein, {example}.',
  'The address has no @. Type it {example}.': 'In der Adresse fehlt das @. Geben Sie sie ein {example}.',
  'The address has no part before the @. Add it, {example}.':
    'Vor dem @ fehlt ein Teil der Adresse. Ergänzen Sie ihn, {example}.',
  'The address has no host after the @. Add it, {example}.':
    'Nach dem @ fehlt ein Teil der Adresse. Ergänzen Sie ihn, {example}.',
  'The address has more than one @. Type it {example}.':
    'In der Adresse ist mehr als ein @. Geben Sie sie ein {example}.',
  'like name@example.org': 'wie name@example.org',
  'The password has {chars} characters; it needs at least {CHARS_MIN}. A few words do.':
    'Das Passwort hat {chars} Zeichen; es braucht mindestens {CHARS_MIN}. Ein paar Wörter genügen.',
  'The password has {chars} characters; {CHARS_MAX} are the most. Shorten it.':
    'Das Passwort hat {chars} Zeichen; höchstens {CHARS_MAX} sind möglich. Kürzen Sie es.',
  'This password is easy to guess. Take a few words that have nothing to do with you.':
    'Dieses Passwort ist leicht zu erraten. Nehmen Sie ein paar Wörter, die nichts mit Ihnen zu tun haben.',
  'The password could not be saved. Try again.':
    'Das Passwort konnte nicht gespeichert werden. Versuchen Sie es noch einmal.',
  'The server is ending. Try again in a minute.':
    'Der Server wird gerade beendet. Versuchen Sie es in einer Minute noch einmal.',
  'These are too many requests in a short time. Wait a few seconds, then go on.':
    'Das sind zu viele Anfragen in kurzer Zeit. Warten Sie ein paar Sekunden und machen Sie dann weiter.',
  'Too many pages of yours listen at once. Close some, then try again.':
    'Zu viele Ihrer Seiten hören zugleich zu. Schließen Sie einige und versuchen Sie es noch einmal.',
  'Nobody is signed in here. Sign in, then try again.':
    'Hier ist niemand angemeldet. Melden Sie sich an und versuchen Sie es noch einmal.',
  'A {has} may not do this; it needs the role {role}. Ask an admin.':
    'Die Rolle „{has}“ darf das nicht; dafür ist die Rolle „{role}“ nötig. Fragen Sie einen Admin.',
  viewer: 'Nur Lesen',
  recruiter: 'Recruiter',
  admin: 'Admin',
  'A program may not manage accounts and keys. Sign in as a person.':
    'Ein Programm darf keine Konten und Schlüssel verwalten. Melden Sie sich als Person an.',
  "This request came from another site's page, so it was not done.":
    'Diese Anfrage kam von der Seite einer anderen Website und wurde deshalb nicht ausgeführt.',

  // Interviews that go on or are over
  'No model is set, and the scripted interviewer asks its own questions only. Set one (docs/providers.md), then it takes suggestions up.':
    'Es ist kein Modell eingestellt, und ohne Modell stellt der Interviewer nur seine eigenen Fragen. Stellen Sie eines ein (docs/providers.md), dann greift er Vorschläge auf.',
  'This interview is over. Invite the candidate again for another one.':
    'Dieses Interview ist zu Ende. Laden Sie die Person für ein weiteres noch einmal ein.',
  'This interview has begun. End it instead.': 'Dieses Interview hat begonnen. Beenden Sie es stattdessen.',
  'This interview belongs to no opening. Launch another one for the candidate.':
    'Dieses Interview gehört zu keiner Stelle. Legen Sie für die Person ein weiteres an.',
  "The candidate's e-mail address is not known. Copy the link and send it yourself.":
    'Die E-Mail-Adresse der Person ist nicht bekannt. Kopieren Sie den Link und schicken Sie ihn selbst.',
  'This candidate has an open invitation. Make a new link for it instead.':
    'Diese Person hat eine offene Einladung. Legen Sie stattdessen einen neuen Link dafür an.',
  '{attempts} used ({} of {of}). Allow more in the opening first.':
    '{attempts} verbraucht ({0} von {of}). Erlauben Sie zuerst mehr in der Stelle.',
  'The only attempt is': 'Der einzige Versuch ist',
  'All attempts are': 'Alle Versuche sind',
  'No time is proposed for this interview.': 'Für dieses Interview ist keine Zeit vorgeschlagen.',
  'This server sends no mail: whoever runs it can set mail.server. Copy the link and send it yourself.':
    'Dieser Server verschickt keine E-Mails: Wer ihn betreibt, kann mail.server einstellen. Kopieren Sie den Link und schicken Sie ihn selbst.',
  'This time is over. Choose one that is still to come.': 'Diese Zeit ist vorbei. Wählen Sie eine, die noch kommt.',
  'Choose a time within the next twelve months.': 'Wählen Sie eine Zeit in den nächsten zwölf Monaten.',
  'This is no time zone. Write it as Europe/Berlin.': 'Das ist keine Zeitzone. Schreiben Sie sie wie Europe/Berlin.',
  'The link of this invitation works no more. Make a new link first.':
    'Der Link dieser Einladung funktioniert nicht mehr. Legen Sie zuerst einen neuen an.',
  'This interview has begun, or was not launched here: there is nobody to invite.':
    'Dieses Interview hat begonnen oder wurde nicht hier angelegt: Es ist niemand einzuladen.',
  'This candidate was sent {MAILS_A_DAY_MAX} mails within a day. Wait until tomorrow, or write yourself.':
    'Diese Person hat an einem Tag {MAILS_A_DAY_MAX} E-Mails bekommen. Warten Sie bis morgen oder schreiben Sie selbst.',
  'Type the address that the invitation goes to, or send the links yourself.':
    'Geben Sie die Adresse ein, an die die Einladung geht, oder schicken Sie die Links selbst.',
  'The mail server refused the sign-in ({code}). Whoever runs this server finds it at mail.server and mail.password.':
    'Der Mailserver hat die Anmeldung abgelehnt ({code}). Wer diesen Server betreibt, findet sie unter mail.server und mail.password.',
  "The mail server refused it ({code}). Check the candidate's address.":
    'Der Mailserver hat sie abgelehnt ({code}). Prüfen Sie die Adresse der Person.',
  'The mail server put it off ({code}).': 'Der Mailserver hat sie aufgeschoben ({code}).',
  'No safe connection to the mail server (TLS failed).':
    'Keine sichere Verbindung zum Mailserver (TLS ist fehlgeschlagen).',
  'The mail server does not offer the safe connection or the sign-in that mail.server asks for.':
    'Der Mailserver bietet die sichere Verbindung oder die Anmeldung nicht an, die mail.server verlangt.',
  "The mail server's answer cannot be read.": 'Die Antwort des Mailservers lässt sich nicht lesen.',
  'The mail server cannot be reached.': 'Der Mailserver ist nicht erreichbar.',
  'The mail server did not answer in time.': 'Der Mailserver hat nicht rechtzeitig geantwortet.',
  "The candidate's address is none that mail can go to.": 'An die Adresse der Person kann keine E-Mail gehen.',
  "The message cannot be written. Check the candidate's address.":
    'Die Nachricht lässt sich nicht schreiben. Prüfen Sie die Adresse der Person.',
  'A program may not decide about people. Sign in as a person.':
    'Ein Programm darf nicht über Menschen entscheiden. Melden Sie sich als Person an.',
  "Say why: nobody is rejected without a person's reason.":
    'Sagen Sie warum: Niemand wird ohne den Grund eines Menschen abgelehnt.',
  'Type the note.': 'Schreiben Sie die Notiz.',
  'This interview goes on. End it first.': 'Dieses Interview läuft noch. Beenden Sie es zuerst.',
  'This interview does not go on.': 'Dieses Interview läuft nicht.',
  'The interviewer is not in the room. Try again in a moment.':
    'Der Interviewer ist gerade nicht im Raum. Versuchen Sie es gleich noch einmal.',
  'This interview was not launched here, so it has no link of ours.':
    'Dieses Interview wurde nicht hier angelegt und hat deshalb keinen Link von uns.',
  'There is no such interview.': 'Dieses Interview gibt es nicht.',
  'This interview was not recorded.': 'Dieses Interview wurde nicht aufgenommen.',
  "The recording could not be read. The server's log says more.":
    'Die Aufnahme konnte nicht gelesen werden. Im Protokoll des Servers steht mehr.',
  'A report is exported as json, csv, md or vtt. Take one of these.':
    'Ein Bericht wird als json, csv, md oder vtt ausgegeben. Nehmen Sie eines davon.',
  'The interview is not over: it has no report yet.': 'Das Interview ist nicht zu Ende: Es hat noch keinen Bericht.',
  'This interview is not over: there is no report to share yet.':
    'Dieses Interview ist nicht zu Ende: Es gibt noch keinen Bericht, der sich teilen lässt.',
  'A link works for 1, 7 or 30 days. Choose one of them.':
    'Ein Link funktioniert 1, 7 oder 30 Tage. Wählen Sie eines davon.',
  '{SHARES_MAX} links to this report work already. Take one back first.':
    'Zu diesem Bericht funktionieren schon {SHARES_MAX} Links. Ziehen Sie zuerst einen zurück.',
  'There is no such link, or it was taken back already.':
    'Diesen Link gibt es nicht, oder er wurde schon zurückgezogen.',
  'This report was opened too often in a short time. Wait a minute, then try again.':
    'Dieser Bericht wurde in kurzer Zeit zu oft geöffnet. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  'This link was taken back: ask whoever sent it for a new one.':
    'Dieser Link wurde zurückgezogen: Bitten Sie um einen neuen, wo Sie ihn bekommen haben.',
  'The time of this link is over: ask whoever sent it for a new one.':
    'Dieser Link ist abgelaufen: Bitten Sie um einen neuen, wo Sie ihn bekommen haben.',
  'The report is being made. Try again in a minute.':
    'Der Bericht wird gerade gemacht. Versuchen Sie es in einer Minute noch einmal.',
  'The interview is not over: its summary is written then.':
    'Das Interview ist nicht zu Ende: Die Zusammenfassung wird erst danach geschrieben.',
  'This interview has no such file.': 'Dieses Interview hat keine solche Datei.',

  // What candidates read
  'To start, agree to take part.': 'Um zu beginnen, stimmen Sie der Teilnahme zu.',
  'This link does not work. Check that all of it was copied, or ask for a new one.':
    'Dieser Link funktioniert nicht. Prüfen Sie, ob er ganz kopiert wurde, oder bitten Sie um einen neuen.',
  'This asks about {subject}. Asking that is discrimination in most countries. Ask about what the job needs instead.':
    'Das ist eine Frage nach: {subject}. Danach zu fragen ist in den meisten Ländern Diskriminierung. Fragen Sie stattdessen nach dem, was die Arbeit braucht.',
  'Nobody is rejected before the interview was held. Wait until it is over, or take the invitation back.':
    'Niemand wird abgelehnt, bevor das Interview geführt wurde. Warten Sie, bis es vorbei ist, oder ziehen Sie die Einladung zurück.',
  'A newer link was made for you, and this one works no more. Use the newest one, or ask whoever sent it to you.':
    'Für Sie wurde ein neuerer Link angelegt, und dieser gilt nicht mehr. Nehmen Sie den neuesten oder fragen Sie dort nach, wo Sie ihn bekommen haben.',
  'Your interview was deleted on {day}, as you asked.':
    'Ihr Interview wurde am {day} gelöscht, wie Sie es verlangt haben.',
  'Your interview was deleted on {day}. Nothing of it is kept.':
    'Ihr Interview wurde am {day} gelöscht. Davon ist nichts mehr gespeichert.',
  '{missing} Choose that it is held in text alone, or set others.':
    '{missing} Wählen Sie, dass es nur schriftlich geführt wird, oder stellen Sie andere ein.',
  'The recogniser that is set understands {heard} only.': 'Die eingestellte Spracherkennung versteht nur {heard}.',
  'The voice that is set speaks {spoken} only.': 'Die eingestellte Stimme spricht nur {spoken}.',
  'The voice and the recogniser that are set speak {spoken} only.':
    'Die eingestellte Stimme und Spracherkennung können nur {spoken}.',
  'The voice that is set speaks {spoken} only, and the recogniser understands {heard} only.':
    'Die eingestellte Stimme spricht nur {spoken}, und die Spracherkennung versteht nur {heard}.',
  English: 'Englisch',
  German: 'Deutsch',
  Italian: 'Italienisch',
  'English and German': 'Englisch und Deutsch',
  'English and Italian': 'Englisch und Italienisch',
  'German and Italian': 'Deutsch und Italienisch',
  'other languages': 'andere Sprachen',
  'This invitation was taken back. Nothing about you was lost. Ask whoever sent you the link.':
    'Diese Einladung wurde zurückgezogen. Von Ihnen ging nichts verloren. Fragen Sie dort nach, wo Sie den Link bekommen haben.',
  'This link no longer works: its time is over. Nothing about you was lost. Ask for a new one.':
    'Dieser Link funktioniert nicht mehr: Er ist abgelaufen. Von Ihnen ging nichts verloren. Bitten Sie um einen neuen.',
  'This interview is over. What was said is on its page.':
    'Dieses Interview ist zu Ende. Was gesagt wurde, steht auf seiner Seite.',
  'This interview stopped because of a fault on our side. What you said is saved. Ask for a new link to go on.':
    'Dieses Interview wurde durch eine Störung bei uns abgebrochen. Was Sie gesagt haben, ist gespeichert. Bitten Sie um einen neuen Link, um weiterzumachen.',
  'There is no such line in the transcript.': 'Diese Zeile gibt es in der Mitschrift nicht.',
  'Type what you meant.': 'Geben Sie ein, was Sie gemeint haben.',
  'Choose from 1 to 5.': 'Wählen Sie von 1 bis 5.',
  'Choose from 1 to 5, or type a few words.': 'Wählen Sie von 1 bis 5 oder schreiben Sie ein paar Worte.',
  'Nothing is noted in this interview.': 'In diesem Interview wird nichts festgehalten.',
  'So much is noted already that there is no room for more.':
    'Es ist schon so viel festgehalten, dass kein Platz für mehr ist.',
  'Type what you want to say.': 'Geben Sie ein, was Sie sagen möchten.',
  'Whoever invited you gives no report to candidates. You may ask them for one.':
    'Wer Sie eingeladen hat, gibt befragten Personen keinen Bericht. Sie können dort um einen bitten.',
  'The interview is not over yet. What was in your answers is here when it is.':
    'Das Interview ist noch nicht zu Ende. Was in Ihren Antworten war, steht danach hier.',
  'You have tried again {TRIES_MAX} times. Begin a new practice interview.':
    'Sie haben es {TRIES_MAX}-mal noch einmal versucht. Beginnen Sie ein neues Übungsinterview.',
  'There is no such question to try again. Load the page anew.':
    'Diese Frage gibt es nicht, um sie noch einmal zu versuchen. Laden Sie die Seite neu.',
  'This interview was no practice, so there is nothing here.':
    'Dieses Interview war keine Übung, deshalb ist hier nichts.',
  'This question cannot be asked alone. Begin a new practice interview.':
    'Diese Frage lässt sich nicht allein stellen. Beginnen Sie ein neues Übungsinterview.',
  'This interview is over, so there is nothing to check the sound for.':
    'Dieses Interview ist zu Ende, deshalb ist kein Ton mehr zu prüfen.',
  'The request is no sound. Send it with the header Content-Type: {CONTENT_TYPE}.':
    'Die Anfrage ist kein Ton. Senden Sie sie mit der Kopfzeile Content-Type: {CONTENT_TYPE}.',
  'The recording is longer than {} s: say one sentence.': 'Die Aufnahme ist länger als {0} s: Sagen Sie einen Satz.',
  'an answer may have {CHAT_BYTES_MAX} bytes, and this has {}':
    'eine Antwort darf {CHAT_BYTES_MAX} Bytes haben, und diese hat {0}',

  // Requests in general
  'There is nothing at this address of the API.': 'Unter dieser Adresse der API ist nichts.',
  'The web pages were not built: run `make web`, then build vivavoce again.':
    'Die Webseiten wurden nicht gebaut: Führen Sie `make web` aus und bauen Sie vivavoce dann neu.',
  'There is no such file.': 'Diese Datei gibt es nicht.',
  'The request failed on our side. Try again.': 'Die Anfrage ist bei uns fehlgeschlagen. Versuchen Sie es noch einmal.',
  'This server answers on this machine only. Open it as 127.0.0.1 or localhost.':
    'Dieser Server antwortet nur auf diesem Rechner. Öffnen Sie ihn als 127.0.0.1 oder localhost.',
  'This server does not answer under that name. Open it as {name}.':
    'Unter diesem Namen antwortet dieser Server nicht. Öffnen Sie ihn als {name}.',
  '{} fields have to be mended first.': '{0} Felder sind zuerst zu berichtigen.',
  'Somebody else is at this interview. Try again in a moment.':
    'Jemand anders ist gerade an diesem Interview. Versuchen Sie es gleich noch einmal.',
  "The interview could not be saved, so nothing was started. The server's disk may be full: its log says more.":
    'Das Interview konnte nicht gespeichert werden, deshalb wurde nichts begonnen. Vielleicht ist die Festplatte des Servers voll: In seinem Protokoll steht mehr.',
  "The database does not answer, so nothing was changed. Try again in a minute; the server's log says more.":
    'Die Datenbank antwortet nicht, deshalb wurde nichts geändert. Versuchen Sie es in einer Minute noch einmal; im Protokoll des Servers steht mehr.',
  'The server for the call does not answer. Nothing is lost. Try again in a minute.':
    'Der Server für das Gespräch antwortet nicht. Es ist nichts verloren. Versuchen Sie es in einer Minute noch einmal.',
  "The interview's files are damaged. Whoever runs this server finds the file's name in its log.":
    'Die Dateien des Interviews sind beschädigt. Wer diesen Server betreibt, findet den Namen der Datei in seinem Protokoll.',
  'The request is no JSON. Send it with the header Content-Type: application/json.':
    'Die Anfrage ist kein JSON. Senden Sie sie mit der Kopfzeile Content-Type: application/json.',
  "The request's JSON cannot be read: {}.": 'Das JSON der Anfrage lässt sich nicht lesen: {0}.',
  'The address is wrong after its “?”: {}.': 'Die Adresse ist nach ihrem „?“ falsch: {0}.',
  "The request's JSON has the wrong shape: {}.": 'Das JSON der Anfrage hat die falsche Form: {0}.',
  'The request is too large. Shorten the documents, the résumé or the job description.':
    'Die Anfrage ist zu groß. Kürzen Sie die Dokumente, den Lebenslauf oder die Stellenbeschreibung.',
  'The request broke off before its end. Send it again.':
    'Die Anfrage brach vor ihrem Ende ab. Senden Sie sie noch einmal.',

  // Documents
  'The address of the request is broken: send the file’s name as ?name=, in UTF-8.':
    'Die Adresse der Anfrage ist fehlerhaft: Senden Sie den Namen der Datei als ?name=, in UTF-8.',
  'Send the file’s name as ?name=, such as cv.pdf.': 'Senden Sie den Namen der Datei als ?name=, etwa cv.pdf.',
  'The file’s name has {chars} characters; {NAME_MAX_CHARS} are the most. Rename it.':
    'Der Name der Datei hat {chars} Zeichen; höchstens {NAME_MAX_CHARS} sind möglich. Benennen Sie sie um.',
  'The file’s name holds a line break or an invisible mark. Rename it.':
    'Im Namen der Datei ist ein Zeilenumbruch oder ein unsichtbares Zeichen. Benennen Sie sie um.',
  'The request is no document. Send it with the header Content-Type: {CONTENT_TYPE}.':
    'Die Anfrage ist kein Dokument. Senden Sie sie mit der Kopfzeile Content-Type: {CONTENT_TYPE}.',
  '{name} is too large: 10 MB are the most, so leave out pictures or split it.':
    '{name} ist zu groß: Höchstens 10 MB sind möglich. Lassen Sie Bilder weg oder teilen Sie das Dokument.',
  '{name} is empty: save it again with its text, then add it anew.':
    '{name} ist leer: Speichern Sie das Dokument noch einmal mit seinem Text und fügen Sie es dann neu hinzu.',
  '{name} ends in .{ending}, which is not read here: save it as .txt, .md, .pdf, .docx or .csv.':
    '{name} endet auf .{ending}, was hier nicht gelesen wird: Speichern Sie das Dokument als .txt, .md, .pdf, .docx oder .csv.',
  '{name} has no ending that says what it is: save it as .txt, .md, .pdf, .docx or .csv.':
    '{name} hat keine Endung, die sagt, was es ist: Speichern Sie das Dokument als .txt, .md, .pdf, .docx oder .csv.',
  '{name} is protected by a password: save a copy without one and add that.':
    '{name} ist durch ein Passwort geschützt: Speichern Sie eine Kopie ohne Passwort und fügen Sie diese hinzu.',
  '{name} holds bytes that are no text: save it as plain text in UTF-8, then add it anew.':
    '{name} enthält Bytes, die kein Text sind: Speichern Sie das Dokument als reinen Text in UTF-8 und fügen Sie es dann neu hinzu.',
  'Letters that are broken in the file stand as �: {n}.':
    'Buchstaben, die in der Datei beschädigt sind, stehen als � da: {n}.',
  'Signs that the file does not name were left out: {n}.': 'Zeichen, die die Datei nicht benennt, fehlen: {n}.',
  'Pages that are pictures were not read; run text recognition (OCR) on them: {n}.':
    'Seiten, die Bilder sind, wurden nicht gelesen; lassen Sie eine Texterkennung (OCR) darüber laufen: {n}.',
  'It has a form whose fields were not read; add what is in them.':
    'Die Datei hat ein Formular, dessen Felder nicht gelesen wurden; ergänzen Sie, was darin steht.',
  'Readings that stand above words were left out.': 'Lesungen, die über Wörtern stehen, wurden weggelassen.',
  '{name} is no list that is read here: save it as .csv or .txt.':
    '{name} ist keine Liste, die hier gelesen wird: Speichern Sie sie als .csv oder .txt.',
  '{name} has pages but no text, as scans have: run text recognition (OCR) on it, or add its text as .txt.':
    '{name} hat Seiten, aber keinen Text, wie eingescannte Blätter: Lassen Sie eine Texterkennung (OCR) darüberlaufen oder fügen Sie den Text als .txt hinzu.',
  '{name} does not say which letters its fonts draw: export it anew from the program that made it, or add its text as .txt.':
    '{name} sagt nicht, welche Buchstaben seine Schriften zeichnen: Speichern Sie das Dokument aus dem Programm, das es gemacht hat, neu oder fügen Sie den Text als .txt hinzu.',
  '{name} unpacks to far more than a document has: save it anew from a word processor, or add its text as .txt.':
    '{name} wird entpackt viel größer, als ein Dokument ist: Speichern Sie es aus einer Textverarbeitung neu oder fügen Sie den Text als .txt hinzu.',
  '{name} is damaged ({what}): save it anew, or copy it again if the copy broke off.':
    '{name} ist beschädigt ({what}): Speichern Sie das Dokument neu, oder kopieren Sie es noch einmal, falls das Kopieren abbrach.',
  '{name} takes too long to read: split it, or add its text as .txt.':
    '{name} zu lesen dauert zu lange: Teilen Sie das Dokument oder fügen Sie den Text als .txt hinzu.',
  '{name} takes too much memory to read: split it, or add its text as .txt.':
    '{name} zu lesen braucht zu viel Speicher: Teilen Sie das Dokument oder fügen Sie den Text als .txt hinzu.',
  '{name} could not be read to its end: save it anew, or add its text as .txt.':
    '{name} konnte nicht bis zum Ende gelesen werden: Speichern Sie das Dokument neu oder fügen Sie den Text als .txt hinzu.',
  '{name} ends in .{promised} but is {found}: rename it so that it ends in .{ending}.':
    '{name} endet auf .{promised}, ist aber {found}: Benennen Sie es so um, dass es auf .{ending} endet.',
  '{name} is protected by a password or is {found}: save it as .docx without a password.':
    '{name} ist durch ein Passwort geschützt oder ist {found}: Speichern Sie das Dokument als .docx ohne Passwort.',
  '{name} ends in .{promised} but is {found}: save it as .txt, .md, .pdf, .docx or .csv.':
    '{name} endet auf .{promised}, ist aber {found}: Speichern Sie das Dokument als .txt, .md, .pdf, .docx oder .csv.',
  'a PDF': 'ein PDF',
  'a ZIP archive': 'ein ZIP-Archiv',
  'a Word document': 'ein Word-Dokument',
  'an Office document of before 2007': 'ein Office-Dokument von vor 2007',
  'a document in rich text': 'ein Dokument in Rich Text',
  'a picture': 'ein Bild',
  'something else': 'etwas anderes',

  // Launching, openings, candidates
  'Choose a level: entry, mid, senior, lead or staff.':
    'Wählen Sie eine Erfahrungsstufe: entry, mid, senior, lead oder staff.',
  'Choose one of the blueprints in the list.': 'Wählen Sie eine der Interviewarten in der Liste.',
  'Type {what}.': 'Geben Sie {what} ein.',
  'This has {chars} characters; {max_chars} are the most. Shorten it.':
    'Das sind {chars} Zeichen; höchstens {max_chars} sind möglich. Kürzen Sie es.',
  'This holds a line break or an invisible mark. Type it anew, on one line.':
    'Darin ist ein Zeilenumbruch oder ein unsichtbares Zeichen. Geben Sie es neu ein, in einer Zeile.',
  'This has no letter in it. Type {what}.': 'Darin ist kein Buchstabe. Geben Sie {what} ein.',
  '{what} has {chars} characters; {max_chars} are the most. Leave out what the questions do not need.':
    '{what}: Das sind {chars} Zeichen; höchstens {max_chars} sind möglich. Lassen Sie weg, was die Fragen nicht brauchen.',
  '{what} holds control characters. Paste it as plain text.':
    '{what}: Darin sind Steuerzeichen. Fügen Sie es als reinen Text ein.',
  'the candidate’s name': 'den Namen der Person',
  'the role': 'die Position',
  'a title': 'einen Titel',
  'the question': 'die Frage',
  'what you want to know': 'das, was Sie wissen möchten,',
  'The résumé': 'Lebenslauf',
  'The job description': 'Stellenbeschreibung',
  'The contact': 'Kontakt',
  'What happens next': 'Wie es weitergeht',
  'The answer': 'Antwort',
  This: 'Text',
  'An opening has no field `{field}`. Leave it out, or mend its name.':
    'Eine Stelle hat kein Feld `{field}`. Lassen Sie es weg oder berichtigen Sie seinen Namen.',
  'There are {n} {what}; {max} are the most. Take some out.':
    'Das sind {n} {what}; höchstens {max} sind möglich. Nehmen Sie einige heraus.',
  questions: 'Fragen',
  criteria: 'Kriterien',
  answers: 'Antworten',
  'A weight is from 1 to 5.': 'Ein Gewicht geht von 1 bis 5.',
  'This criterion is there already.': 'Dieses Kriterium gibt es schon.',
  'Candidates’ questions are found by their words, and this one has none that says what it is about. Write it with such a word, as “What does it pay?”.':
    'Fragen werden an ihren Wörtern erkannt, und diese hat keines, das sagt, worum es geht. Schreiben Sie sie mit einem solchen Wort, wie „Was ist das Gehalt?“.',
  'Type the answer.': 'Geben Sie die Antwort ein.',
  'A question ends in a question mark: the candidate hears that it is their turn. Write “Can you tell me about …?”':
    'Eine Frage endet mit einem Fragezeichen: So hört die Person, dass sie dran ist. Schreiben Sie „Können Sie mir von … erzählen?“',
  'Leave out the braces: nothing is filled in here.':
    'Lassen Sie die geschweiften Klammern weg: Hier wird nichts eingesetzt.',
  '{FOLLOW_UPS_MAX} follow-ups are the most.': 'Höchstens {FOLLOW_UPS_MAX} Nachfragen sind möglich.',
  'Choose from {min} to {max} {unit}.': 'Wählen Sie von {min} bis {max} {unit}.',
  minutes: 'Minuten',
  days: 'Tagen',
  attempts: 'Versuchen',
  'This needs {needs} minutes even with short answers, and it may take {has}. Allow more, or {fewer}.':
    'Das braucht schon bei kurzen Antworten {needs} Minuten, und dauern darf es {has}. Erlauben Sie mehr, oder {fewer}.',
  'choose a shorter interview': 'wählen Sie ein kürzeres Interview',
  'take some of your questions out': 'nehmen Sie einige Ihrer Fragen heraus',
  'Somebody else has changed this opening since you opened it. Your text is still here: look at theirs, then save yours again.':
    'Jemand anders hat diese Stelle geändert, seit Sie sie geöffnet haben. Ihr Text ist noch hier: Sehen Sie sich den anderen an und speichern Sie Ihren dann noch einmal.',
  'This opening is closed. Open it again to invite candidates.':
    'Diese Stelle ist geschlossen. Öffnen Sie sie wieder, um Personen einzuladen.',
  'This server records nobody: whoever runs it can switch that on (recording.enabled). Leave it out until then.':
    'Dieser Server nimmt niemanden auf: Wer ihn betreibt, kann das einschalten (recording.enabled). Lassen Sie es bis dahin weg.',
  'Choose one of the interviews in the list.': 'Wählen Sie eines der Interviews in der Liste.',
  'The interview cannot be read. Choose another one.': 'Das Interview lässt sich nicht lesen. Wählen Sie ein anderes.',
  'Add a candidate first.': 'Fügen Sie zuerst eine Person hinzu.',
  '{} candidates are too many at once; {CANDIDATES_MAX} are the most.':
    '{0} Personen sind zu viele auf einmal; höchstens {CANDIDATES_MAX} sind möglich.',
  'There is no such opening.': 'Diese Stelle gibt es nicht.',
  '{LINES_MAX} candidates at once are the most; add those from this line on afterwards.':
    'Höchstens {LINES_MAX} Personen auf einmal sind möglich; fügen Sie die von dieser Zeile an danach hinzu.',
  'There is no name in this line. Write it before the address.':
    'In dieser Zeile steht kein Name. Schreiben Sie ihn vor die Adresse.',
  'This is no name of at most {NAME_CHARS_MAX} letters. Mend it.':
    'Das ist kein Name von höchstens {NAME_CHARS_MAX} Buchstaben. Berichtigen Sie ihn.',
  'Letters were lost here (�). Read the list from its file, or type them anew.':
    'Hier sind Buchstaben verloren gegangen (�). Lesen Sie die Liste aus ihrer Datei, oder tippen Sie sie neu.',
  'The same address stands in line {}.': 'Dieselbe Adresse steht in Zeile {0}.',
  'This asks about {subject}. Asking that is discrimination in most countries. Ask about what the job needs instead, or say here why you have to ask.':
    'Das ist eine Frage nach: {subject}. Danach zu fragen ist in den meisten Ländern Diskriminierung. Fragen Sie stattdessen nach dem, was die Arbeit braucht, oder sagen Sie hier, warum Sie fragen müssen.',
  'Say in a few words why the job needs this question.':
    'Sagen Sie in ein paar Worten, warum die Arbeit diese Frage braucht.',
  age: 'Alter',
  family: 'Familie',
  pregnancy: 'Schwangerschaft',
  religion: 'Religion',
  health: 'Gesundheit',
  origin: 'Herkunft',
  'union membership': 'Gewerkschaft',
  politics: 'Politik',
  'sexual orientation or gender': 'sexuelle Orientierung oder Geschlecht',
  'past pay': 'bisheriges Gehalt',
  'The reason': 'Grund',
  'kept a question with a reason': 'behielt eine Frage mit einem Grund',

  // Plans
  'Choose a blueprint that has a plan: one with a backlog or with topics.':
    'Wählen Sie eine Interviewart, die einen Plan hat: eine mit Fragen oder mit Themen.',
  'Add a document first: the questions are made from what stands there.':
    'Fügen Sie zuerst ein Dokument hinzu: Die Fragen werden aus dem gemacht, was dort steht.',
  'The plan could not be kept. The server’s log says more. Try again.':
    'Der Plan konnte nicht aufbewahrt werden. Im Protokoll des Servers steht mehr. Versuchen Sie es noch einmal.',
  'There is no such sample.': 'Dieses Beispiel gibt es nicht.',
  'This blueprint takes no {name}. Leave out what is there, or choose another one.':
    'Diese Interviewart verwendet das nicht: {name}. Lassen Sie es weg oder wählen Sie eine andere.',
  documents: 'Dokumente',
  topics: 'Themen',
  guide: 'Leitfaden',
  'There are {} documents; {DOCUMENTS_MAX} are the most. Leave some out.':
    'Das sind {0} Dokumente; höchstens {DOCUMENTS_MAX} sind möglich. Lassen Sie einige weg.',
  'The documents have {characters} characters; {DOCUMENT_CHARACTERS_MAX} are the most. Leave out what the questions do not need.':
    'Die Dokumente haben {characters} Zeichen; höchstens {DOCUMENT_CHARACTERS_MAX} sind möglich. Lassen Sie weg, was die Fragen nicht brauchen.',
  'The document “{name}” has no text. Leave it out.': 'Das Dokument „{name}“ hat keinen Text. Lassen Sie es weg.',
  'The document “{name}” holds control characters. Send it as plain text.':
    'Im Dokument „{name}“ sind Steuerzeichen. Senden Sie es als reinen Text.',
  'The guide has {chars} characters; {GUIDE_CHARS_MAX} are the most. Shorten it.':
    'Der Leitfaden hat {chars} Zeichen; höchstens {GUIDE_CHARS_MAX} sind möglich. Kürzen Sie ihn.',
  'There are {} questions; {QUESTIONS_MAX} are the most. Drop some.':
    'Das sind {0} Fragen; höchstens {QUESTIONS_MAX} sind möglich. Streichen Sie einige.',
  'Questions {} and {} are so alike that only one would be asked. Change one, or drop it.':
    'Die Fragen {0} und {1} sind sich so ähnlich, dass nur eine gestellt würde. Ändern Sie eine oder streichen Sie sie.',
  'There are {} topics; {TOPICS_MAX} are the most. Drop some.':
    'Das sind {0} Themen; höchstens {TOPICS_MAX} sind möglich. Streichen Sie einige.',
  '“{}” and “{}” are so alike that only one would be asked. Change one, or drop it.':
    '„{0}“ und „{1}“ sind sich so ähnlich, dass nur eines gefragt würde. Ändern Sie eines oder streichen Sie es.',
  'Question {}: {what}': 'Frage {0}: {what}',
  'Topic {}: {what}': 'Thema {0}: {what}',
  'The name of document {}: {what}': 'Der Name von Dokument {0}: {what}',
  'its title: {what}': 'der Titel: {what}',
  '“{text}”: {}': '„{text}“: {0}',
  'it needs a question. Add one, or drop the topic.':
    'es braucht eine Frage. Fügen Sie eine hinzu oder streichen Sie das Thema.',
  'it has a list of {} lines; {LINES_MAX} are the most.':
    'eine Liste hat {0} Zeilen; höchstens {LINES_MAX} sind möglich.',
  'it must end in a question mark: it is said as it stands.':
    'der Satz muss mit einem Fragezeichen enden: Er wird so gesagt, wie er da steht.',
  'it is empty. Fill it in, or drop it.': 'das ist leer. Füllen Sie es aus oder streichen Sie es.',
  'it has {chars} characters; {chars_max} are the most. Shorten it.':
    'das sind {chars} Zeichen; höchstens {chars_max} sind möglich. Kürzen Sie es.',
  'it holds a line break or an invisible mark. Type it anew, on one line.':
    'darin ist ein Zeilenumbruch oder ein unsichtbares Zeichen. Geben Sie es neu ein, in einer Zeile.',
  'it has no letter in it. Type it anew.': 'darin ist kein Buchstabe. Geben Sie es neu ein.',

  // What a report says by itself
  'The candidate was in distress at {:02}:{:02}: a person should read that part first.':
    'Die befragte Person war bei {0}:{1} belastet: Diesen Teil sollte zuerst ein Mensch lesen.',
  'The interview was interrupted: it has no end of its own.':
    'Das Interview wurde abgebrochen: Es hat kein eigenes Ende.',
  'The candidate said nothing.': 'Die befragte Person hat nichts gesagt.',
  'In {} a part was not understood, {} s in all: what was said there is unknown, and speaks against nobody.':
    '{0}: ein Teil wurde nicht verstanden, insgesamt {1} s. Was dort gesagt wurde, ist unbekannt und spricht gegen niemanden.',
  'Not a word was understood {}.': 'Kein Wort wurde verstanden: {0}.',
  '{answers} with something personal {are} left out.': '{answers} mit Persönlichem: weggelassen.',
  'Our line was cut {}.': 'Unsere Leitung wurde unterbrochen: {0}.',
  'The interviewer failed to make {}.': 'Dem Interviewer gelang nicht: {0}.',
  'A limit or a silence ended {}.': 'Durch eine Grenze oder Stille endeten: {0}.',
  '1 answer': '1 Antwort',
  '{} answers': '{0} Antworten',
  '1 time': 'einmal',
  '{} times': '{0}-mal',
  '1 reply': '1 Antwort',
  '{} replies': '{0} Antworten',
  '1 part': '1 Teil',
  '{} parts': '{0} Teile',
  'Nobody asked about it, and nothing that was said shows it. That says nothing about the candidate.':
    'Niemand hat danach gefragt, und nichts von dem, was gesagt wurde, zeigt es. Das sagt nichts über die befragte Person.',
  'The candidate said nothing that can be read.': 'Die befragte Person hat nichts gesagt, was sich lesen lässt.',
  'No model has judged this: the answers stand below their questions, for people to read.':
    'Kein Modell hat das beurteilt: Die Antworten stehen unter ihren Fragen, zum Lesen für Menschen.',
  'Its quote is not in the transcript.': 'Das Zitat dazu steht nicht in der Mitschrift.',
  'It was said in an answer that is left out here.': 'Es wurde in einer Antwort gesagt, die hier weggelassen ist.',
  'They do not know it.': 'Die befragte Person weiß es nicht.',
  'They would rather not say.': 'Die befragte Person möchte es nicht sagen.',
  'It was asked, and not settled.': 'Es wurde gefragt und nicht geklärt.',
  'No question of this part has an answer that can be read.':
    'Keine Frage dieses Teils hat eine Antwort, die sich lesen lässt.',
  'No model has judged this: these are the answers of this part.':
    'Kein Modell hat das beurteilt: Das sind die Antworten dieses Teils.',
  "The model's quotes are not in the transcript, so that nothing is said here.":
    'Die Zitate des Modells stehen nicht in der Mitschrift; deshalb steht hier nichts.',
  'The model gave no quote, so that nothing is said here.':
    'Das Modell hat kein Zitat genannt; deshalb steht hier nichts.',
  'The transcript is too long: the model has not read its end.':
    'Die Mitschrift ist zu lang: Das Modell hat ihr Ende nicht gelesen.',
  '{covered} of {} criteria have evidence.': 'Für {covered} von {0} Kriterien gibt es Belege.',
  '{n} not asked about': '{n} nicht gefragt',
  '{n} with too little evidence': '{n} mit zu wenig Belegen',
  '{n} not assessed, as the model failed': '{n} nicht beurteilt, weil das Modell ausfiel',
  'The mean level by weight is {weighted} of 5.': 'Die mittlere Stufe nach Gewicht ist {weighted} von 5.',
  'No level was given.': 'Es wurde keine Stufe vergeben.',
  'A model has read the answers, and people decide.': 'Ein Modell hat die Antworten gelesen, und Menschen entscheiden.',
  'No model has read the answers: people read them, and decide.':
    'Kein Modell hat die Antworten gelesen: Menschen lesen sie und entscheiden.',
  'There is nothing here for a model to judge.': 'Hier gibt es nichts, was ein Modell beurteilen könnte.',
  'Somebody of the house tries this interview: there is nobody to decide about.':
    'Jemand aus dem Haus probiert dieses Interview aus: Es gibt niemanden, über den zu entscheiden wäre.',
  'A program may not judge people. Sign in as a person.':
    'Ein Programm darf nicht über Menschen urteilen. Melden Sie sich als Person an.',
  'There is no report to give levels in yet.': 'Es gibt noch keinen Bericht, in dem sich Stufen vergeben ließen.',
  'The report has no such criterion.': 'Der Bericht hat kein solches Kriterium.',
  'A level is a number from 1 to 5.': 'Eine Stufe ist eine Zahl von 1 bis 5.',
  'People gave the levels.': 'Menschen haben die Stufen vergeben.',
  'People gave {given} of {levels} levels, and a model gave the others.':
    'Menschen haben {given} von {levels} Stufen vergeben, ein Modell die anderen.',
  'It could not be made anew: {why}.': 'Er konnte nicht neu gemacht werden: {why}.',
  'The report failed: {why}. Make it again when that is mended.':
    'Der Bericht ist fehlgeschlagen: {why}. Machen Sie ihn neu, wenn das behoben ist.',
  'No model made this plan: {why}.': 'Kein Modell hat diesen Plan gemacht: {why}.',
  'No model wrote this summary: {why}.': 'Kein Modell hat diese Zusammenfassung geschrieben: {why}.',
  'The model failed: {}.': 'Das Modell ist ausgefallen: {0}.',

  // The timeline, receipts, levels and templates
  '{from} → {to}: {}': '{from} → {to}: {0}',
  'candidate asked to stop': 'die befragte Person wollte aufhören',
  abuse: 'beleidigende Worte',
  'interview limit': 'die Zeit des Interviews war um',
  'max turns': 'so viele Antworten, wie es geben darf',
  'candidate skipped': 'die befragte Person hat den Rest übersprungen',
  'rubric settled': 'alles war geklärt',
  tool: 'das Modell ging weiter',
  'question limit': 'alle Fragen waren gestellt',
  silence: 'Stille',
  'stage limit': 'die Zeit des Abschnitts war um',
  'agenda done': 'der Plan war durch',
  'The candidate asked for a pause.': 'Die befragte Person bat um eine Unterbrechung.',
  'The candidate was away.': 'Die befragte Person war weg.',
  'sound, transcript, journal, inputs with the résumé, consent, report, notes, decisions':
    'Ton, Mitschrift, Journal, Eingaben mit dem Lebenslauf, Zustimmung, Bericht, Notizen, Entscheidungen',
  everything: 'alles',
  'Entry, 0–2 years': 'Einstieg, 0–2 Jahre',
  'Mid, 3–5 years': 'Mittel, 3–5 Jahre',
  'Senior, 6 years and more': 'Senior, 6 Jahre und mehr',
  Screening: 'Vorauswahl',
  'A short first conversation: what they do, what they are good at, when they can start.':
    'Ein kurzes erstes Gespräch: was die Personen tun, was sie gut können, wann sie anfangen können.',
  Behavioural: 'Verhalten',
  'One experience in depth: situation, task, their own part, result.':
    'Eine Erfahrung im Einzelnen: Lage, Aufgabe, eigener Anteil, Ergebnis.',
  Technical: 'Technik',
  'How they think about systems that they have built or know.':
    'Wie die Personen über Systeme nachdenken, die sie gebaut haben oder kennen.',
  'Language check': 'Sprachprobe',
  'A few everyday questions, to hear whether they can work in this language.':
    'Ein paar Fragen aus dem Alltag, um zu hören, ob jemand in dieser Sprache arbeiten kann.',

  // The audit trail
  'signed in': 'meldete sich an',
  'tried to sign in with a wrong password': 'wollte sich mit einem falschen Passwort anmelden',
  'signed out': 'meldete sich ab',
  'entered their password again': 'gab das eigene Passwort noch einmal ein',
  'was refused': 'wurde abgewiesen',
  'tried an opening': 'probierte eine Stelle aus',
  'launched an interview': 'legte ein Interview an',
  'wrote a note': 'schrieb eine Notiz',
  'read a transcript': 'las eine Mitschrift',
  'read a summary': 'las eine Zusammenfassung',
  'heard a recording': 'hörte eine Aufnahme',
  'exported a file': 'exportierte eine Datei',
  'had a report made anew': 'ließ einen Bericht neu erstellen',
  'asked for their interview to be deleted': 'verlangte, dass das eigene Interview gelöscht wird',
  'asked for a person to look at it': 'verlangte, dass ein Mensch es ansieht',
  'corrected the transcript': 'berichtigte die Mitschrift',
  'said what they thought of the interview': 'sagte, wie das Interview war',
  'commented on what was noted': 'äußerte sich zu dem, was vermerkt wurde',
  'exported the audit trail': 'exportierte das Protokoll',
  'removed the oldest entries of the audit trail': 'entfernte die ältesten Einträge des Protokolls',
  'the candidate': 'die interviewte Person',
  nobody: 'niemand',
  retention: 'Aufbewahrungsfrist',
  'There is no such deed in the audit trail.': 'Diese Tat gibt es im Protokoll nicht.',
  'Show that it is you: enter your password again, or sign in again.':
    'Zeigen Sie, dass Sie es sind: Geben Sie Ihr Passwort noch einmal ein oder melden Sie sich noch einmal an.',
  'This is not your password.': 'Das ist nicht Ihr Passwort.',
  'made the first account': 'legte das erste Konto an',
  'chose a password': 'wählte ein Passwort',
  'changed their password': 'änderte das eigene Passwort',
  'added an account': 'fügte ein Konto hinzu',
  'changed an account': 'änderte ein Konto',
  'made a link to choose a password': 'legte einen Link zur Wahl eines Passworts an',
  'made an API key': 'legte einen API-Schlüssel an',
  'removed an API key': 'entfernte einen API-Schlüssel',
  'added a webhook': 'fügte einen Webhook hinzu',
  'changed a webhook': 'änderte einen Webhook',
  'removed a webhook': 'entfernte einen Webhook',
  'tested a webhook': 'probierte einen Webhook aus',
  'sent a message again': 'sendete eine Nachricht noch einmal',
  disabled: 'gesperrt',
  'ended an interview': 'beendete ein Interview',
  'suggested a question': 'schlug eine Frage vor',
  'listened in': 'hörte mit',
  'made a new link': 'legte einen neuen Link an',
  'took an invitation back': 'zog eine Einladung zurück',
  decided: 'entschied',
  'gave a level': 'vergab eine Stufe',
  'removed an interview': 'löschte ein Interview',
  'made an opening': 'legte eine Stelle an',
  'changed an opening': 'änderte eine Stelle',
  'changed a blueprint': 'änderte eine Interviewart',
  'took a blueprint back': 'ging zu einer Fassung einer Interviewart zurück',
  'copied a blueprint': 'kopierte eine Interviewart',
  'version {}': 'Fassung {0}',
  'version {}: the text of version {}': 'Fassung {0}: der Text von Fassung {1}',
  'from {name}, version {}': 'aus {name}, Fassung {0}',
  'opened or closed an opening': 'öffnete oder schloss eine Stelle',
  'invited once more': 'lud noch einmal ein',
  'sent an invitation by mail': 'schickte eine Einladung per E-Mail',
  'proposed a time': 'schlug eine Zeit vor',
  'took a proposed time back': 'nahm eine vorgeschlagene Zeit zurück',
  'shared a report': 'teilte einen Bericht',
  'took a link to a report back': 'zog einen Link zu einem Bericht zurück',
  'read a report': 'las einen Bericht',
  'a shared link': 'ein geteilter Link',
  '1 day, {what}, {}': '1 Tag, {what}, {0}',
  '{days} days, {what}, {}': '{days} Tage, {what}, {0}',
  'with the decision': 'mit der Entscheidung',
  'without the decision': 'ohne die Entscheidung',
  'read by MCP': 'las über MCP',
  transcript: 'Mitschrift',
  report: 'Bericht',
  quotes: 'Zitate',
  'linked an account from elsewhere': 'verband ein Konto von anderswo',
  'came with an account from elsewhere': 'kam mit einem Konto von anderswo',
  'has another role, by the provider': 'hat eine andere Rolle, durch den Anbieter',
  'could not read an answer': 'konnte eine Antwort nicht lesen',
  invited: 'lud ein',
  '1 candidate': '1 Person',
  '{count} candidates': '{count} Personen',
  '1 candidate, from an applicant tracking system': '1 Person, aus einer Bewerberverwaltung',
  advance: 'Weiter im Verfahren',
  hold: 'Zurückstellen',
  reject: 'Derzeit nicht',
  open: 'offen',
  closed: 'geschlossen',

  // Webhooks, and what came of their messages
  'There are {WEBHOOKS_MAX} webhooks, which are the most. Remove one.':
    'Es gibt {WEBHOOKS_MAX} Webhooks; mehr sind nicht möglich. Entfernen Sie einen.',
  'There is no such webhook.': 'Diesen Webhook gibt es nicht.',
  'This webhook is disabled. Enable it, then send the test.':
    'Dieser Webhook ist gesperrt. Geben Sie ihn wieder frei und senden Sie dann die Probenachricht.',
  'There is no such message.': 'Diese Nachricht gibt es nicht.',
  'Choose an event at least.': 'Wählen Sie mindestens ein Ereignis.',
  'This address is longer than {URL_CHARS_MAX} characters.': 'Diese Adresse ist länger als {URL_CHARS_MAX} Zeichen.',
  'This is no address. Type one {example}.': 'Das ist keine Adresse. Geben Sie eine ein, {example}.',
  'The address has to begin with https:// or http://, {example}.':
    'Die Adresse muss mit https:// oder http:// beginnen, {example}.',
  'The address has a name or a password in it. Take it out: messages are signed instead.':
    'In der Adresse steht ein Name oder ein Passwort. Nehmen Sie das heraus: Nachrichten werden stattdessen signiert.',
  'The address names no server. Type one {example}.': 'Die Adresse nennt keinen Server. Geben Sie eine ein, {example}.',
  'like https://ats.example.org/hooks': 'wie https://ats.example.org/hooks',
  'This address leads to this machine or into a private network, where no messages go. Take one that everybody can reach, or set web.webhooks_to_private.':
    'Diese Adresse führt zu diesem Rechner oder in ein privates Netz; dorthin gehen keine Nachrichten. Nehmen Sie eine, die alle erreichen können, oder stellen Sie web.webhooks_to_private ein.',
  'No answer came within {} seconds.': 'Innerhalb von {0} Sekunden kam keine Antwort.',
  'No connection: {reason}': 'Keine Verbindung: {reason}',
  'The webhook was removed.': 'Der Webhook wurde entfernt.',
  'The address of the tracking system begins with http://, where everybody on the way can read our key, so nothing was sent. It needs one that begins with https://, or web.partner_insecure.':
    'Die Adresse des Bewerbungssystems beginnt mit http://, wo unterwegs jeder unseren Schlüssel lesen kann; deshalb wurde nichts geschickt. Nötig ist eine, die mit https:// beginnt, oder web.partner_insecure.',
  "The webhook's secret is damaged. Remove it and add it anew.":
    'Das Geheimnis des Webhooks ist beschädigt. Entfernen Sie den Webhook und fügen Sie ihn neu hinzu.',
  'The report was not made within a day.': 'Der Bericht wurde nicht innerhalb eines Tages gemacht.',
  'The report could not be made.': 'Der Bericht konnte nicht gemacht werden.',
  'The interview is not over.': 'Das Interview ist nicht zu Ende.',
  'The interview was removed.': 'Das Interview wurde gelöscht.',

  // Blueprints that are written in the web
  'There is no such blueprint.': 'Diese Interviewart gibt es nicht.',
  'There is no such version of a blueprint.': 'Diese Fassung einer Interviewart gibt es nicht.',
  'There is a blueprint of this name already. Choose another name.':
    'Eine Interviewart dieses Namens gibt es schon. Wählen Sie einen anderen Namen.',
  'A name has small letters, digits and hyphens, 40 at most, such as backend-screening.':
    'Ein Name hat Kleinbuchstaben, Ziffern und Bindestriche, höchstens 40, etwa backend-screening.',
  'There are {BLUEPRINTS_MAX} blueprints already; that is the most.':
    'Es gibt schon {BLUEPRINTS_MAX} Interviewarten; mehr sind nicht möglich.',
  'This blueprint has {VERSIONS_MAX} versions, which is the most. Copy it under a new name.':
    'Diese Interviewart hat {VERSIONS_MAX} Fassungen; mehr sind nicht möglich. Kopieren Sie sie unter einem neuen Namen.',
  'Somebody else has saved this blueprint since you opened it. Your text is still here: look at what differs, then save yours again.':
    'Jemand anderes hat diese Interviewart gespeichert, seit Sie sie geöffnet haben. Ihr Text ist noch da: Sehen Sie nach, was sich unterscheidet, und speichern Sie Ihren noch einmal.',
  'These are {} files; {FILES_MAX} are the most.': 'Das sind {0} Dateien; höchstens {FILES_MAX} sind möglich.',
  'The files have {all} bytes together; {FILES_MAX_BYTES} are the most. Shorten them.':
    'Die Dateien haben zusammen {all} Bytes; höchstens {FILES_MAX_BYTES} sind möglich. Kürzen Sie sie.',
  'A file is named blueprint.toml, phrases.toml, or as its stage with .md: small letters, digits and hyphens, such as past-experience.md.':
    'Eine Datei heißt blueprint.toml, phrases.toml oder wie ihr Abschnitt mit .md: Kleinbuchstaben, Ziffern und Bindestriche, etwa past-experience.md.',
  'The stages have {questions} questions; {QUESTIONS_MAX} are the most. Take some out.':
    'Die Abschnitte haben {questions} Fragen; höchstens {QUESTIONS_MAX} sind möglich. Nehmen Sie einige heraus.',
  'There are two files of this name.': 'Es gibt zwei Dateien dieses Namens.',
  'This file has {} bytes; {FILE_MAX_BYTES} are the most. Shorten it.':
    'Diese Datei hat {0} Bytes; höchstens {FILE_MAX_BYTES} sind möglich. Kürzen Sie sie.',
  'A reason has {REASON_MAX_CHARS} characters at most. Shorten it.':
    'Eine Begründung hat höchstens {REASON_MAX_CHARS} Zeichen. Kürzen Sie sie.',
  'what you have changed': 'das, was Sie geändert haben,',
  // Simulated candidates
  'ran with a simulated candidate': 'mit simulierter Person durchgespielt',
  'The candidate was simulated: nothing here is about a person.':
    'Die befragte Person war simuliert: Nichts hier handelt von einem Menschen.',
  '{max} interviews with simulated candidates go on already, which is the most at a time. Try again when one of them has ended.':
    '{max} Interviews mit simulierten Personen laufen schon, und mehr gehen nicht gleichzeitig. Versuchen Sie es noch einmal, wenn eines davon zu Ende ist.',
  'Choose a speed from 1 to {SPEED_MAX}.': 'Wählen Sie eine Geschwindigkeit von 1 bis {SPEED_MAX}.',
  'The candidate of this interview is simulated: there is no call, and nobody to decide about.':
    'In diesem Interview ist die befragte Person simuliert: Es gibt keine Verbindung und niemanden, über den zu entscheiden wäre.',
  'This interview goes on in another process, which ends it by itself.':
    'Dieses Interview läuft in einem anderen Prozess, der es von selbst beendet.',
  'This server holds no interviews with simulated candidates.':
    'Dieser Server führt keine Interviews mit simulierten Personen.',
};
