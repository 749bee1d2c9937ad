import type { Sentences } from './index';

/** The server's sentences in Italian; see `server.de.ts`. */
export const sentences: Sentences = {
  // Accounts and passwords
  'The first account was made already. Sign in, or ask for an account.':
    'Il primo account esiste già. Acceda, o chieda un account.',
  'This is not the code that the program has printed when it started. Open the address that it has printed.':
    'Questo non è il codice che il programma ha stampato all’avvio. Apra l’indirizzo che ha stampato.',
  'Too many passwords were tried for this address. Wait a minute, then try again.':
    'Per questo indirizzo sono state provate troppe password. Attenda un minuto, poi riprovi.',
  'The address or the password is wrong. Check both, or ask an admin for a new link.':
    'L’indirizzo o la password è sbagliato. Controlli entrambi, o chieda un nuovo link a un admin.',
  'This link was used already, or its time is over. Ask an admin for a new one.':
    'Questo link è già stato usato, o è scaduto. Ne chieda uno nuovo a un admin.',
  'A key has no password. Sign in as a person.': 'Una chiave non ha password. Acceda come persona.',
  'This is not your password so far.': 'Questa non è la Sua password attuale.',
  'This address has an account already. Make a new link for it instead.':
    'Questo indirizzo ha già un account. Crei piuttosto un nuovo link.',
  'Nobody would be admin any more. Make somebody else an admin first.':
    'Non resterebbe nessun admin. Dia prima questo ruolo a qualcun altro.',
  'There is no such key.': 'Questa chiave non esiste.',
  'Too many people sign in at this moment. Wait a few seconds, then try again.':
    'In questo momento accedono in troppi. Attenda qualche secondo, poi riprovi.',
  'There were too many sign-ins from your network. Wait a minute, then try again.':
    'Dalla Sua rete ci sono stati troppi accessi. Attenda un minuto, poi riprovi.',
  'The first account is made at the machine on which this server runs. To make it from elsewhere, set web.public_url and start the server again: it then prints a code.':
    'Il primo account si crea al computer su cui gira questo server. Per crearlo da altrove imposti web.public_url e riavvii il server: stamperà allora un codice.',
  'There is no such account.': 'Questo account non esiste.',
  "This server takes no passwords. Sign in with your organisation's account.":
    'Questo server non accetta password. Acceda con l’account della Sua organizzazione.',
  'This server takes no accounts from elsewhere. Sign in with a password.':
    'Questo server non accetta account di altri. Acceda con una password.',
  'Type a name.': 'Scriva un nome.',
  'This has {chars} characters; {NAME_CHARS_MAX} are the most. Shorten it.':
    'Ha {chars} caratteri; il massimo è {NAME_CHARS_MAX}. Lo accorci.',
  'This holds a line break or an invisible mark. Type it anew.':
    'Contiene un a capo o un carattere invisibile. Lo scriva di nuovo.',
  'This has no letter in it. Type a name.': 'Non contiene nessuna lettera. Scriva un nome.',
  'Type an e-mail address, {example}.': 'Scriva un indirizzo e-mail, {example}.',
  'This is no e-mail address. Type one, {example}.': 'Questo non è un indirizzo e-mail. Ne scriva uno, {example}.',
  'The address has no @. Type it {example}.': 'L’indirizzo non ha la @. Lo scriva {example}.',
  'The address has no part before the @. Add it, {example}.':
    'Nell’indirizzo manca la parte prima della @. La aggiunga, {example}.',
  'The address has no host after the @. Add it, {example}.':
    'Nell’indirizzo manca la parte dopo la @. La aggiunga, {example}.',
  'The address has more than one @. Type it {example}.': 'L’indirizzo ha più di una @. Lo scriva {example}.',
  'like name@example.org': 'come name@example.org',
  'The password has {chars} characters; it needs at least {CHARS_MIN}. A few words do.':
    'La password ha {chars} caratteri; ne servono almeno {CHARS_MIN}. Bastano alcune parole.',
  'The password has {chars} characters; {CHARS_MAX} are the most. Shorten it.':
    'La password ha {chars} caratteri; il massimo è {CHARS_MAX}. La accorci.',
  'This password is easy to guess. Take a few words that have nothing to do with you.':
    'Questa password è facile da indovinare. Prenda alcune parole che non hanno nulla a che fare con Lei.',
  'The password could not be saved. Try again.': 'Non è stato possibile salvare la password. Riprovi.',
  'The server is ending. Try again in a minute.': 'Il server si sta chiudendo. Riprovi tra un minuto.',
  'These are too many requests in a short time. Wait a few seconds, then go on.':
    'Sono troppe richieste in poco tempo. Attenda qualche secondo, poi continui.',
  'Too many pages of yours listen at once. Close some, then try again.':
    'Troppe delle sue pagine sono in ascolto insieme. Ne chiuda alcune e riprovi.',
  'Nobody is signed in here. Sign in, then try again.': 'Qui non ha acceduto nessuno. Acceda, poi riprovi.',
  'A {has} may not do this; it needs the role {role}. Ask an admin.':
    'Il ruolo «{has}» non può farlo; serve il ruolo «{role}». Chieda a un admin.',
  viewer: 'Sola lettura',
  recruiter: 'Recruiter',
  admin: 'Admin',
  'A program may not manage accounts and keys. Sign in as a person.':
    'Un programma non può gestire account e chiavi. Acceda come persona.',
  "This request came from another site's page, so it was not done.":
    'Questa richiesta veniva dalla pagina di un altro sito, perciò non è stata eseguita.',

  // Interviews that go on or are over
  'No model is set, and the scripted interviewer asks its own questions only. Set one (docs/providers.md), then it takes suggestions up.':
    'Non è impostato nessun modello, e senza modello l’intervistatore pone solo le sue domande. Ne imposti uno (docs/providers.md), poi accoglie i suggerimenti.',
  'This interview is over. Invite the candidate again for another one.':
    'Questo colloquio è finito. Inviti di nuovo la persona per un altro.',
  'This interview has begun. End it instead.': 'Questo colloquio è iniziato. Lo termini, piuttosto.',
  'This interview belongs to no opening. Launch another one for the candidate.':
    'Questo colloquio non appartiene a nessuna posizione. Ne crei un altro per la persona.',
  "The candidate's e-mail address is not known. Copy the link and send it yourself.":
    'L’indirizzo e-mail della persona non è noto. Copi il link e lo invii Lei.',
  'This candidate has an open invitation. Make a new link for it instead.':
    'Questa persona ha un invito aperto. Crei piuttosto un nuovo link.',
  '{attempts} used ({} of {of}). Allow more in the opening first.':
    '{attempts} ({0} di {of}). Ne permetta prima altri nella posizione.',
  'The only attempt is': 'L’unico tentativo è usato',
  'All attempts are': 'Tutti i tentativi sono usati',
  'No time is proposed for this interview.': 'Per questo colloquio non è proposto nessun orario.',
  'This server sends no mail: whoever runs it can set mail.server. Copy the link and send it yourself.':
    'Questo server non invia e-mail: chi lo gestisce può impostare mail.server. Copi il link e lo invii Lei.',
  'This time is over. Choose one that is still to come.':
    'Questo orario è passato. Ne scelga uno che deve ancora venire.',
  'Choose a time within the next twelve months.': 'Scelga un orario nei prossimi dodici mesi.',
  'This is no time zone. Write it as Europe/Berlin.': 'Questo non è un fuso orario. Lo scriva come Europe/Berlin.',
  'The link of this invitation works no more. Make a new link first.':
    'Il link di questo invito non funziona più. Ne crei prima uno nuovo.',
  'This interview has begun, or was not launched here: there is nobody to invite.':
    'Questo colloquio è iniziato, o non è stato creato qui: non c’è nessuno da invitare.',
  'This candidate was sent {MAILS_A_DAY_MAX} mails within a day. Wait until tomorrow, or write yourself.':
    'A questa persona sono state inviate {MAILS_A_DAY_MAX} e-mail in un giorno. Attenda fino a domani, o scriva Lei.',
  'Type the address that the invitation goes to, or send the links yourself.':
    'Scriva l’indirizzo a cui va l’invito, o invii i link Lei.',
  'The mail server refused the sign-in ({code}). Whoever runs this server finds it at mail.server and mail.password.':
    'Il server di posta ha rifiutato l’accesso ({code}). Chi gestisce questo server lo trova in mail.server e mail.password.',
  "The mail server refused it ({code}). Check the candidate's address.":
    'Il server di posta l’ha rifiutata ({code}). Controlli l’indirizzo della persona.',
  'The mail server put it off ({code}).': 'Il server di posta l’ha rinviata ({code}).',
  'No safe connection to the mail server (TLS failed).':
    'Nessuna connessione sicura al server di posta (TLS non riuscito).',
  'The mail server does not offer the safe connection or the sign-in that mail.server asks for.':
    'Il server di posta non offre la connessione sicura o l’accesso che mail.server richiede.',
  "The mail server's answer cannot be read.": 'La risposta del server di posta non si può leggere.',
  'The mail server cannot be reached.': 'Il server di posta non è raggiungibile.',
  'The mail server did not answer in time.': 'Il server di posta non ha risposto in tempo.',
  "The candidate's address is none that mail can go to.":
    'All’indirizzo della persona non può arrivare nessuna e-mail.',
  "The message cannot be written. Check the candidate's address.":
    'Il messaggio non si può scrivere. Controlli l’indirizzo della persona.',
  'A program may not decide about people. Sign in as a person.':
    'Un programma non può decidere sulle persone. Acceda come persona.',
  "Say why: nobody is rejected without a person's reason.":
    'Dica perché: nessuno viene respinto senza il motivo di una persona.',
  'Type the note.': 'Scriva la nota.',
  'This interview goes on. End it first.': 'Questo colloquio è in corso. Prima lo termini.',
  'This interview does not go on.': 'Questo colloquio non è in corso.',
  'The interviewer is not in the room. Try again in a moment.':
    'L’intervistatore non è nella stanza. Riprovi tra un momento.',
  'This interview was not launched here, so it has no link of ours.':
    'Questo colloquio non è stato creato qui, perciò non ha un nostro link.',
  'There is no such interview.': 'Questo colloquio non esiste.',
  'This interview was not recorded.': 'Questo colloquio non è stato registrato.',
  "The recording could not be read. The server's log says more.":
    'Non è stato possibile leggere la registrazione. Il registro del server dice di più.',
  'A report is exported as json, csv, md or vtt. Take one of these.':
    'Un rapporto si esporta come json, csv, md o vtt. Ne scelga uno.',
  'The interview is not over: it has no report yet.': 'Il colloquio non è finito: non ha ancora un rapporto.',
  'This interview is not over: there is no report to share yet.':
    'Questo colloquio non è finito: non c’è ancora un rapporto da condividere.',
  'A link works for 1, 7 or 30 days. Choose one of them.':
    'Un link funziona per 1, 7 o 30 giorni. Scelga uno di questi.',
  '{SHARES_MAX} links to this report work already. Take one back first.':
    'Per questo rapporto funzionano già {SHARES_MAX} link. Ne ritiri prima uno.',
  'There is no such link, or it was taken back already.': 'Questo link non esiste, o è già stato ritirato.',
  'This report was opened too often in a short time. Wait a minute, then try again.':
    'Questo rapporto è stato aperto troppe volte in poco tempo. Attenda un minuto, poi riprovi.',
  'This link was taken back: ask whoever sent it for a new one.':
    'Questo link è stato ritirato: ne chieda uno nuovo a chi gliel’ha mandato.',
  'The time of this link is over: ask whoever sent it for a new one.':
    'Questo link è scaduto: ne chieda uno nuovo a chi gliel’ha mandato.',
  'The report is being made. Try again in a minute.': 'Il rapporto è in preparazione. Riprovi tra un minuto.',
  'The interview is not over: its summary is written then.':
    'Il colloquio non è finito: il riepilogo viene scritto dopo.',
  'This interview has no such file.': 'Questo colloquio non ha questo file.',

  // What candidates read
  'To start, agree to take part.': 'Per iniziare, acconsenta a partecipare.',
  'This link does not work. Check that all of it was copied, or ask for a new one.':
    'Questo link non funziona. Controlli che sia stato copiato per intero, o ne chieda uno nuovo.',
  'This asks about {subject}. Asking that is discrimination in most countries. Ask about what the job needs instead.':
    'È una domanda su: {subject}. Chiederlo è discriminazione nella maggior parte dei paesi. Chieda piuttosto ciò che serve al lavoro.',
  'Nobody is rejected before the interview was held. Wait until it is over, or take the invitation back.':
    'Nessuno viene scartato prima che il colloquio si sia tenuto. Attenda che finisca, o ritiri l’invito.',
  'A newer link was made for you, and this one works no more. Use the newest one, or ask whoever sent it to you.':
    'Per Lei è stato creato un link più recente, e questo non vale più. Usi il più recente, o chieda a chi Glielo ha mandato.',
  'Your interview was deleted on {day}, as you asked.':
    'Il Suo colloquio è stato cancellato il {day}, come ha chiesto.',
  'Your interview was deleted on {day}. Nothing of it is kept.':
    'Il Suo colloquio è stato cancellato il {day}. Non ne resta nulla.',
  '{missing} Choose that it is held in text alone, or set others.':
    '{missing} Scelga che si tenga solo per iscritto, o ne imposti altri.',
  'The recogniser that is set understands {heard} only.': 'Il riconoscimento vocale impostato capisce solo {heard}.',
  'The voice that is set speaks {spoken} only.': 'La voce impostata parla solo {spoken}.',
  'The voice and the recogniser that are set speak {spoken} only.':
    'La voce e il riconoscimento vocale impostati conoscono solo {spoken}.',
  'The voice that is set speaks {spoken} only, and the recogniser understands {heard} only.':
    'La voce impostata parla solo {spoken}, e il riconoscimento vocale capisce solo {heard}.',
  English: 'inglese',
  German: 'tedesco',
  Italian: 'italiano',
  'English and German': 'inglese e tedesco',
  'English and Italian': 'inglese e italiano',
  'German and Italian': 'tedesco e italiano',
  'other languages': 'altre lingue',
  'This invitation was taken back. Nothing about you was lost. Ask whoever sent you the link.':
    'Questo invito è stato ritirato. Di Suo non si è perso nulla. Chieda a chi Le ha mandato il link.',
  'This link no longer works: its time is over. Nothing about you was lost. Ask for a new one.':
    'Questo link non funziona più: è scaduto. Di Suo non si è perso nulla. Ne chieda uno nuovo.',
  'This interview is over. What was said is on its page.':
    'Questo colloquio è finito. Ciò che è stato detto è nella sua pagina.',
  'This interview stopped because of a fault on our side. What you said is saved. Ask for a new link to go on.':
    'Questo colloquio si è fermato per un guasto nostro. Ciò che ha detto è salvato. Chieda un nuovo link per continuare.',
  'There is no such line in the transcript.': 'Questa riga non c’è nella trascrizione.',
  'Type what you meant.': 'Scriva che cosa intendeva.',
  'Choose from 1 to 5.': 'Scelga da 1 a 5.',
  'Choose from 1 to 5, or type a few words.': 'Scelga da 1 a 5, o scriva qualche parola.',
  'Nothing is noted in this interview.': 'In questo colloquio non si annota nulla.',
  'So much is noted already that there is no room for more.': 'È già annotato tanto che non c’è posto per altro.',
  'Type what you want to say.': 'Scriva che cosa vuole dire.',
  'Whoever invited you gives no report to candidates. You may ask them for one.':
    'Chi L’ha invitata non dà un rapporto alle persone intervistate. Può chiedergliene uno.',
  'The interview is not over yet. What was in your answers is here when it is.':
    'Il colloquio non è ancora finito. Che cosa c’era nelle Sue risposte si trova qui dopo.',
  'You have tried again {TRIES_MAX} times. Begin a new practice interview.':
    'Ha riprovato {TRIES_MAX} volte. Inizi un nuovo colloquio di prova.',
  'There is no such question to try again. Load the page anew.':
    'Questa domanda da riprovare non c’è. Ricarichi la pagina.',
  'This interview was no practice, so there is nothing here.':
    'Questo colloquio non era una prova, perciò qui non c’è nulla.',
  'This question cannot be asked alone. Begin a new practice interview.':
    'Questa domanda non si può porre da sola. Inizi un nuovo colloquio di prova.',
  'This interview is over, so there is nothing to check the sound for.':
    'Questo colloquio è finito, perciò non c’è più nessun audio da provare.',
  'The request is no sound. Send it with the header Content-Type: {CONTENT_TYPE}.':
    'La richiesta non è un audio. La invii con l’intestazione Content-Type: {CONTENT_TYPE}.',
  'The recording is longer than {} s: say one sentence.': 'La registrazione è più lunga di {0} s: dica una frase.',
  'an answer may have {CHAT_BYTES_MAX} bytes, and this has {}':
    'una risposta può avere {CHAT_BYTES_MAX} byte, e questa ne ha {0}',

  // Requests in general
  'There is nothing at this address of the API.': 'A questo indirizzo dell’API non c’è nulla.',
  'The web pages were not built: run `make web`, then build vivavoce again.':
    'Le pagine web non sono state costruite: esegua `make web`, poi ricostruisca vivavoce.',
  'There is no such file.': 'Questo file non esiste.',
  'The request failed on our side. Try again.': 'La richiesta è fallita da parte nostra. Riprovi.',
  'This server answers on this machine only. Open it as 127.0.0.1 or localhost.':
    'Questo server risponde solo su questo computer. Lo apra come 127.0.0.1 o localhost.',
  'This server does not answer under that name. Open it as {name}.':
    'Questo server non risponde sotto quel nome. Lo apra come {name}.',
  '{} fields have to be mended first.': 'Ci sono prima {0} campi da correggere.',
  'Somebody else is at this interview. Try again in a moment.':
    'Qualcun altro è su questo colloquio. Riprovi tra un momento.',
  "The interview could not be saved, so nothing was started. The server's disk may be full: its log says more.":
    'Non è stato possibile salvare il colloquio, perciò non è iniziato nulla. Forse il disco del server è pieno: il suo registro dice di più.',
  "The database does not answer, so nothing was changed. Try again in a minute; the server's log says more.":
    'La banca dati non risponde, perciò non è cambiato nulla. Riprovi tra un minuto; il registro del server dice di più.',
  'The server for the call does not answer. Nothing is lost. Try again in a minute.':
    'Il server per la conversazione non risponde. Non si è perso nulla. Riprovi tra un minuto.',
  "The interview's files are damaged. Whoever runs this server finds the file's name in its log.":
    'I file del colloquio sono danneggiati. Chi gestisce questo server trova il nome del file nel registro.',
  'The request is no JSON. Send it with the header Content-Type: application/json.':
    'La richiesta non è JSON. La invii con l’intestazione Content-Type: application/json.',
  "The request's JSON cannot be read: {}.": 'Il JSON della richiesta non si può leggere: {0}.',
  'The address is wrong after its “?”: {}.': 'L’indirizzo è sbagliato dopo il suo «?»: {0}.',
  "The request's JSON has the wrong shape: {}.": 'Il JSON della richiesta ha la forma sbagliata: {0}.',
  'The request is too large. Shorten the documents, the résumé or the job description.':
    'La richiesta è troppo grande. Accorci i documenti, il curriculum o la descrizione del lavoro.',
  'The request broke off before its end. Send it again.':
    'La richiesta si è interrotta prima della fine. La invii di nuovo.',

  // Documents
  'The address of the request is broken: send the file’s name as ?name=, in UTF-8.':
    'L’indirizzo della richiesta è errato: invii il nome del file come ?name=, in UTF-8.',
  'Send the file’s name as ?name=, such as cv.pdf.': 'Invii il nome del file come ?name=, per esempio cv.pdf.',
  'The file’s name has {chars} characters; {NAME_MAX_CHARS} are the most. Rename it.':
    'Il nome del file ha {chars} caratteri; il massimo è {NAME_MAX_CHARS}. Lo rinomini.',
  'The file’s name holds a line break or an invisible mark. Rename it.':
    'Il nome del file contiene un a capo o un carattere invisibile. Lo rinomini.',
  'The request is no document. Send it with the header Content-Type: {CONTENT_TYPE}.':
    'La richiesta non è un documento. La invii con l’intestazione Content-Type: {CONTENT_TYPE}.',
  '{name} is too large: 10 MB are the most, so leave out pictures or split it.':
    '{name} è troppo grande: il massimo è 10 MB. Tralasci le immagini o lo divida.',
  '{name} is empty: save it again with its text, then add it anew.':
    '{name} è vuoto: lo salvi di nuovo con il suo testo, poi lo aggiunga di nuovo.',
  '{name} ends in .{ending}, which is not read here: save it as .txt, .md, .pdf, .docx or .csv.':
    '{name} finisce in .{ending}, che qui non si legge: lo salvi come .txt, .md, .pdf, .docx o .csv.',
  '{name} has no ending that says what it is: save it as .txt, .md, .pdf, .docx or .csv.':
    '{name} non ha un’estensione che dica che cos’è: lo salvi come .txt, .md, .pdf, .docx o .csv.',
  '{name} is protected by a password: save a copy without one and add that.':
    '{name} è protetto da una password: ne salvi una copia senza, e aggiunga quella.',
  '{name} holds bytes that are no text: save it as plain text in UTF-8, then add it anew.':
    '{name} contiene byte che non sono testo: lo salvi come testo semplice in UTF-8, poi lo aggiunga di nuovo.',
  'Letters that are broken in the file stand as �: {n}.': 'Lettere guaste nel file stanno come �: {n}.',
  'Signs that the file does not name were left out: {n}.': 'Segni che il file non nomina mancano: {n}.',
  'Pages that are pictures were not read; run text recognition (OCR) on them: {n}.':
    'Pagine che sono immagini non sono state lette; vi applichi il riconoscimento del testo (OCR): {n}.',
  'It has a form whose fields were not read; add what is in them.':
    'Il file ha un modulo i cui campi non sono stati letti; aggiunga ciò che contengono.',
  'Readings that stand above words were left out.': 'Le letture scritte sopra le parole sono state tralasciate.',
  '{name} is no list that is read here: save it as .csv or .txt.':
    '{name} non è un elenco che si legge qui: lo salvi come .csv o .txt.',
  '{name} has pages but no text, as scans have: run text recognition (OCR) on it, or add its text as .txt.':
    '{name} ha pagine ma nessun testo, come le scansioni: usi il riconoscimento del testo (OCR), o aggiunga il testo come .txt.',
  '{name} does not say which letters its fonts draw: export it anew from the program that made it, or add its text as .txt.':
    '{name} non dice quali lettere disegnano i suoi caratteri: lo esporti di nuovo dal programma che l’ha creato, o aggiunga il testo come .txt.',
  '{name} unpacks to far more than a document has: save it anew from a word processor, or add its text as .txt.':
    '{name}, estratto, è molto più grande di un documento: lo salvi di nuovo da un programma di scrittura, o aggiunga il testo come .txt.',
  '{name} is damaged ({what}): save it anew, or copy it again if the copy broke off.':
    '{name} è danneggiato ({what}): lo salvi di nuovo, o lo ricopi se la copia si è interrotta.',
  '{name} takes too long to read: split it, or add its text as .txt.':
    'La lettura di {name} è troppo lunga: lo divida, o aggiunga il testo come .txt.',
  '{name} takes too much memory to read: split it, or add its text as .txt.':
    'La lettura di {name} richiede troppa memoria: lo divida, o aggiunga il testo come .txt.',
  '{name} could not be read to its end: save it anew, or add its text as .txt.':
    'Non è stato possibile leggere {name} fino alla fine: lo salvi di nuovo, o aggiunga il testo come .txt.',
  '{name} ends in .{promised} but is {found}: rename it so that it ends in .{ending}.':
    '{name} finisce in .{promised} ma è {found}: lo rinomini perché finisca in .{ending}.',
  '{name} is protected by a password or is {found}: save it as .docx without a password.':
    '{name} è protetto da una password o è {found}: lo salvi come .docx senza password.',
  '{name} ends in .{promised} but is {found}: save it as .txt, .md, .pdf, .docx or .csv.':
    '{name} finisce in .{promised} ma è {found}: lo salvi come .txt, .md, .pdf, .docx o .csv.',
  'a PDF': 'un PDF',
  'a ZIP archive': 'un archivio ZIP',
  'a Word document': 'un documento Word',
  'an Office document of before 2007': 'un documento Office anteriore al 2007',
  'a document in rich text': 'un documento in rich text',
  'a picture': 'un’immagine',
  'something else': 'qualcos’altro',

  // Launching, openings, candidates
  'Choose a level: entry, mid, senior, lead or staff.':
    'Scelga un livello di esperienza: entry, mid, senior, lead o staff.',
  'Choose one of the blueprints in the list.': 'Scelga uno dei tipi di colloquio dell’elenco.',
  'Type {what}.': 'Scriva {what}.',
  'This has {chars} characters; {max_chars} are the most. Shorten it.':
    'Ha {chars} caratteri; il massimo è {max_chars}. Lo accorci.',
  'This holds a line break or an invisible mark. Type it anew, on one line.':
    'Contiene un a capo o un carattere invisibile. Lo scriva di nuovo, su una riga.',
  'This has no letter in it. Type {what}.': 'Non contiene nessuna lettera. Scriva {what}.',
  '{what} has {chars} characters; {max_chars} are the most. Leave out what the questions do not need.':
    '{what}: {chars} caratteri; il massimo è {max_chars}. Tralasci quello che non serve alle domande.',
  '{what} holds control characters. Paste it as plain text.':
    '{what}: contiene caratteri di controllo. Lo incolli come testo semplice.',
  'the candidate’s name': 'il nome della persona',
  'the role': 'il ruolo',
  'a title': 'un titolo',
  'the question': 'la domanda',
  'what you want to know': 'che cosa vuole sapere',
  'The résumé': 'Curriculum',
  'The job description': 'Descrizione del lavoro',
  'The contact': 'Contatto',
  'What happens next': 'Che cosa succede dopo',
  'The answer': 'Risposta',
  This: 'Testo',
  'An opening has no field `{field}`. Leave it out, or mend its name.':
    'Una posizione non ha un campo `{field}`. Lo tralasci, o ne corregga il nome.',
  'There are {n} {what}; {max} are the most. Take some out.': 'Sono {n} {what}; il massimo è {max}. Ne tolga qualcuno.',
  questions: 'domande',
  criteria: 'criteri',
  answers: 'risposte',
  'A weight is from 1 to 5.': 'Un peso va da 1 a 5.',
  'This criterion is there already.': 'Questo criterio c’è già.',
  'Candidates’ questions are found by their words, and this one has none that says what it is about. Write it with such a word, as “What does it pay?”.':
    'Le domande si riconoscono dalle loro parole, e questa non ne ha nessuna che dica di che cosa si tratta. La scriva con una parola così, come «Qual è lo stipendio?».',
  'Type the answer.': 'Scriva la risposta.',
  'A question ends in a question mark: the candidate hears that it is their turn. Write “Can you tell me about …?”':
    'Una domanda finisce con un punto interrogativo: così la persona sente che tocca a lei. Scriva «Può parlarmi di …?»',
  'Leave out the braces: nothing is filled in here.': 'Tralasci le parentesi graffe: qui non si inserisce nulla.',
  '{FOLLOW_UPS_MAX} follow-ups are the most.': 'Il massimo è {FOLLOW_UPS_MAX} approfondimenti.',
  'Choose from {min} to {max} {unit}.': 'Scelga da {min} a {max} {unit}.',
  minutes: 'minuti',
  days: 'giorni',
  attempts: 'tentativi',
  'This needs {needs} minutes even with short answers, and it may take {has}. Allow more, or {fewer}.':
    'Anche con risposte brevi servono {needs} minuti, e ne può durare {has}. Ne conceda di più, o {fewer}.',
  'choose a shorter interview': 'scelga un colloquio più breve',
  'take some of your questions out': 'tolga alcune delle Sue domande',
  'Somebody else has changed this opening since you opened it. Your text is still here: look at theirs, then save yours again.':
    'Qualcun altro ha modificato questa posizione da quando l’ha aperta. Il Suo testo è ancora qui: guardi l’altro, poi salvi di nuovo il Suo.',
  'This opening is closed. Open it again to invite candidates.':
    'Questa posizione è chiusa. La riapra per invitare persone.',
  'This server records nobody: whoever runs it can switch that on (recording.enabled). Leave it out until then.':
    'Questo server non registra nessuno: chi lo gestisce può attivarlo (recording.enabled). Fino ad allora lo tralasci.',
  'Choose one of the interviews in the list.': 'Scelga uno dei colloqui dell’elenco.',
  'The interview cannot be read. Choose another one.': 'Il colloquio non si può leggere. Ne scelga un altro.',
  'Add a candidate first.': 'Aggiunga prima una persona.',
  '{} candidates are too many at once; {CANDIDATES_MAX} are the most.':
    '{0} persone sono troppe in una volta; il massimo è {CANDIDATES_MAX}.',
  'There is no such opening.': 'Questa posizione non esiste.',
  '{LINES_MAX} candidates at once are the most; add those from this line on afterwards.':
    'Al massimo {LINES_MAX} persone alla volta; aggiunga dopo quelle da questa riga in poi.',
  'There is no name in this line. Write it before the address.':
    'In questa riga non c’è un nome. Lo scriva prima dell’indirizzo.',
  'This is no name of at most {NAME_CHARS_MAX} letters. Mend it.':
    'Questo non è un nome di al massimo {NAME_CHARS_MAX} lettere. Lo corregga.',
  'Letters were lost here (�). Read the list from its file, or type them anew.':
    'Qui sono andate perse delle lettere (�). Legga l’elenco dal suo file, o le riscriva.',
  'The same address stands in line {}.': 'Lo stesso indirizzo è nella riga {0}.',
  'This asks about {subject}. Asking that is discrimination in most countries. Ask about what the job needs instead, or say here why you have to ask.':
    'È una domanda su: {subject}. Chiederlo è discriminazione nella maggior parte dei paesi. Chieda piuttosto ciò che serve al lavoro, o dica qui perché deve chiederlo.',
  'Say in a few words why the job needs this question.':
    'Dica in poche parole perché il lavoro richiede questa domanda.',
  age: 'età',
  family: 'famiglia',
  pregnancy: 'gravidanza',
  religion: 'religione',
  health: 'salute',
  origin: 'origine',
  'union membership': 'sindacato',
  politics: 'politica',
  'sexual orientation or gender': 'orientamento sessuale o genere',
  'past pay': 'stipendio precedente',
  'The reason': 'Motivo',
  'kept a question with a reason': 'ha mantenuto una domanda con un motivo',

  // Plans
  'Choose a blueprint that has a plan: one with a backlog or with topics.':
    'Scelga un tipo di colloquio che abbia un piano: con domande o con temi.',
  'Add a document first: the questions are made from what stands there.':
    'Aggiunga prima un documento: le domande si ricavano da ciò che vi è scritto.',
  'The plan could not be kept. The server’s log says more. Try again.':
    'Non è stato possibile conservare il piano. Il registro del server dice di più. Riprovi.',
  'There is no such sample.': 'Questo esempio non esiste.',
  'This blueprint takes no {name}. Leave out what is there, or choose another one.':
    'Questo tipo di colloquio non usa: {name}. Lo tralasci, o ne scelga un altro.',
  documents: 'documenti',
  topics: 'temi',
  guide: 'guida',
  'There are {} documents; {DOCUMENTS_MAX} are the most. Leave some out.':
    'Sono {0} documenti; il massimo è {DOCUMENTS_MAX}. Ne tralasci alcuni.',
  'The documents have {characters} characters; {DOCUMENT_CHARACTERS_MAX} are the most. Leave out what the questions do not need.':
    'I documenti hanno {characters} caratteri; il massimo è {DOCUMENT_CHARACTERS_MAX}. Tralasci quello che non serve alle domande.',
  'The document “{name}” has no text. Leave it out.': 'Il documento «{name}» non ha testo. Lo tralasci.',
  'The document “{name}” holds control characters. Send it as plain text.':
    'Il documento «{name}» contiene caratteri di controllo. Lo invii come testo semplice.',
  'The guide has {chars} characters; {GUIDE_CHARS_MAX} are the most. Shorten it.':
    'La guida ha {chars} caratteri; il massimo è {GUIDE_CHARS_MAX}. La accorci.',
  'There are {} questions; {QUESTIONS_MAX} are the most. Drop some.':
    'Sono {0} domande; il massimo è {QUESTIONS_MAX}. Ne tolga alcune.',
  'Questions {} and {} are so alike that only one would be asked. Change one, or drop it.':
    'Le domande {0} e {1} sono così simili che se ne porrebbe solo una. Ne cambi una, o la tolga.',
  'There are {} topics; {TOPICS_MAX} are the most. Drop some.':
    'Sono {0} temi; il massimo è {TOPICS_MAX}. Ne tolga alcuni.',
  '“{}” and “{}” are so alike that only one would be asked. Change one, or drop it.':
    '«{0}» e «{1}» sono così simili che se ne porrebbe solo uno. Ne cambi uno, o lo tolga.',
  'Question {}: {what}': 'Domanda {0}: {what}',
  'Topic {}: {what}': 'Tema {0}: {what}',
  'The name of document {}: {what}': 'Il nome del documento {0}: {what}',
  'its title: {what}': 'il titolo: {what}',
  '“{text}”: {}': '«{text}»: {0}',
  'it needs a question. Add one, or drop the topic.': 'serve una domanda. Ne aggiunga una, o tolga il tema.',
  'it has a list of {} lines; {LINES_MAX} are the most.': 'una lista ha {0} righe; il massimo è {LINES_MAX}.',
  'it must end in a question mark: it is said as it stands.':
    'la frase deve finire con un punto interrogativo: viene detta così com’è.',
  'it is empty. Fill it in, or drop it.': 'è vuoto. Lo compili, o lo tolga.',
  'it has {chars} characters; {chars_max} are the most. Shorten it.':
    'ha {chars} caratteri; il massimo è {chars_max}. Lo accorci.',
  'it holds a line break or an invisible mark. Type it anew, on one line.':
    'contiene un a capo o un carattere invisibile. Lo scriva di nuovo, su una riga.',
  'it has no letter in it. Type it anew.': 'non contiene nessuna lettera. Lo scriva di nuovo.',

  // What a report says by itself
  'The candidate was in distress at {:02}:{:02}: a person should read that part first.':
    'La persona intervistata era in difficoltà a {0}:{1}: quella parte dovrebbe leggerla prima una persona.',
  'The interview was interrupted: it has no end of its own.':
    'Il colloquio è stato interrotto: non ha una fine propria.',
  'The candidate said nothing.': 'La persona intervistata non ha detto nulla.',
  'In {} a part was not understood, {} s in all: what was said there is unknown, and speaks against nobody.':
    '{0}: una parte non è stata capita, {1} s in tutto. Ciò che vi è stato detto non si sa, e non parla contro nessuno.',
  'Not a word was understood {}.': 'Non si è capita nessuna parola: {0}.',
  '{answers} with something personal {are} left out.': '{answers} con qualcosa di personale: tralasciato.',
  'Our line was cut {}.': 'La nostra linea è caduta: {0}.',
  'The interviewer failed to make {}.': 'L’intervistatore non è riuscito a dare: {0}.',
  'A limit or a silence ended {}.': 'Finito per un limite o per silenzio: {0}.',
  '1 answer': '1 risposta',
  '{} answers': '{0} risposte',
  '1 time': '1 volta',
  '{} times': '{0} volte',
  '1 reply': '1 risposta',
  '{} replies': '{0} risposte',
  '1 part': '1 parte',
  '{} parts': '{0} parti',
  'Nobody asked about it, and nothing that was said shows it. That says nothing about the candidate.':
    'Nessuno l’ha chiesto, e niente di ciò che è stato detto lo mostra. Questo non dice nulla sulla persona intervistata.',
  'The candidate said nothing that can be read.': 'La persona intervistata non ha detto nulla che si possa leggere.',
  'No model has judged this: the answers stand below their questions, for people to read.':
    'Nessun modello l’ha giudicato: le risposte stanno sotto le loro domande, da leggere.',
  'Its quote is not in the transcript.': 'La citazione non è nella trascrizione.',
  'It was said in an answer that is left out here.': 'È stato detto in una risposta che qui è tralasciata.',
  'They do not know it.': 'La persona intervistata non lo sa.',
  'They would rather not say.': 'La persona intervistata preferisce non dirlo.',
  'It was asked, and not settled.': 'È stato chiesto, e non chiarito.',
  'No question of this part has an answer that can be read.':
    'Nessuna domanda di questa parte ha una risposta che si possa leggere.',
  'No model has judged this: these are the answers of this part.':
    'Nessun modello l’ha giudicato: queste sono le risposte di questa parte.',
  "The model's quotes are not in the transcript, so that nothing is said here.":
    'Le citazioni del modello non sono nella trascrizione, perciò qui non si dice nulla.',
  'The model gave no quote, so that nothing is said here.':
    'Il modello non ha dato citazioni, perciò qui non si dice nulla.',
  'The transcript is too long: the model has not read its end.':
    'La trascrizione è troppo lunga: il modello non ne ha letto la fine.',
  '{covered} of {} criteria have evidence.': '{covered} di {0} criteri hanno elementi.',
  '{n} not asked about': '{n} non chiesti',
  '{n} with too little evidence': '{n} con troppo pochi elementi',
  '{n} not assessed, as the model failed': '{n} non valutati, perché il modello non ha funzionato',
  'The mean level by weight is {weighted} of 5.': 'Il livello medio pesato è {weighted} di 5.',
  'No level was given.': 'Non è stato dato nessun livello.',
  'A model has read the answers, and people decide.': 'Un modello ha letto le risposte, e decidono le persone.',
  'No model has read the answers: people read them, and decide.':
    'Nessun modello ha letto le risposte: le persone le leggono e decidono.',
  'There is nothing here for a model to judge.': 'Qui non c’è nulla che un modello possa giudicare.',
  'Somebody of the house tries this interview: there is nobody to decide about.':
    'Qualcuno della casa prova questo colloquio: non c’è nessuno su cui decidere.',
  'A program may not judge people. Sign in as a person.':
    'Un programma non può giudicare le persone. Acceda come persona.',
  'There is no report to give levels in yet.': 'Non c’è ancora un rapporto in cui dare livelli.',
  'The report has no such criterion.': 'Il rapporto non ha un criterio simile.',
  'A level is a number from 1 to 5.': 'Un livello è un numero da 1 a 5.',
  'People gave the levels.': 'I livelli li hanno dati le persone.',
  'People gave {given} of {levels} levels, and a model gave the others.':
    'Le persone hanno dato {given} di {levels} livelli, un modello gli altri.',
  'It could not be made anew: {why}.': 'Non è stato possibile rifarlo: {why}.',
  'The report failed: {why}. Make it again when that is mended.':
    'Il rapporto non è riuscito: {why}. Lo rifaccia quando è risolto.',
  'No model made this plan: {why}.': 'Nessun modello ha fatto questo piano: {why}.',
  'No model wrote this summary: {why}.': 'Nessun modello ha scritto questo riepilogo: {why}.',
  'The model failed: {}.': 'Il modello non ha funzionato: {0}.',

  // The timeline, receipts, levels and templates
  '{from} → {to}: {}': '{from} → {to}: {0}',
  'candidate asked to stop': 'la persona intervistata voleva smettere',
  abuse: 'parole offensive',
  'interview limit': 'il tempo del colloquio era finito',
  'max turns': 'tante risposte quante possono essere',
  'candidate skipped': 'la persona intervistata ha saltato il resto',
  'rubric settled': 'era tutto chiarito',
  tool: 'il modello è passato oltre',
  'question limit': 'tutte le domande erano poste',
  silence: 'silenzio',
  'stage limit': 'il tempo della fase era finito',
  'agenda done': 'il piano era concluso',
  'The candidate asked for a pause.': 'La persona intervistata ha chiesto una pausa.',
  'The candidate was away.': 'La persona intervistata era assente.',
  'sound, transcript, journal, inputs with the résumé, consent, report, notes, decisions':
    'audio, trascrizione, giornale, dati con il curriculum, consenso, rapporto, note, decisioni',
  everything: 'tutto',
  'Entry, 0–2 years': 'Iniziale, 0–2 anni',
  'Mid, 3–5 years': 'Medio, 3–5 anni',
  'Senior, 6 years and more': 'Senior, 6 anni e più',
  Screening: 'Preselezione',
  'A short first conversation: what they do, what they are good at, when they can start.':
    'Una breve prima conversazione: che cosa fanno, in che cosa sono bravi, quando possono iniziare.',
  Behavioural: 'Comportamento',
  'One experience in depth: situation, task, their own part, result.':
    'Un’esperienza in profondità: situazione, compito, contributo proprio, risultato.',
  Technical: 'Tecnica',
  'How they think about systems that they have built or know.':
    'Come ragionano su sistemi che hanno costruito o conoscono.',
  'Language check': 'Prova di lingua',
  'A few everyday questions, to hear whether they can work in this language.':
    'Alcune domande di tutti i giorni, per sentire se si può lavorare in questa lingua.',

  // The audit trail
  'signed in': 'è entrato',
  'tried to sign in with a wrong password': 'ha tentato di entrare con una password sbagliata',
  'signed out': 'è uscito',
  'entered their password again': 'ha inserito di nuovo la propria password',
  'was refused': 'è stato rifiutato',
  'tried an opening': 'ha provato una posizione',
  'launched an interview': 'ha avviato un colloquio',
  'wrote a note': 'ha scritto una nota',
  'read a transcript': 'ha letto una trascrizione',
  'read a summary': 'ha letto un riepilogo',
  'heard a recording': 'ha ascoltato una registrazione',
  'exported a file': 'ha esportato un file',
  'had a report made anew': 'ha fatto rifare un rapporto',
  'asked for their interview to be deleted': 'ha chiesto di cancellare il proprio colloquio',
  'asked for a person to look at it': 'ha chiesto che lo guardi una persona',
  'corrected the transcript': 'ha corretto la trascrizione',
  'said what they thought of the interview': 'ha detto che cosa pensa del colloquio',
  'commented on what was noted': 'ha commentato ciò che è stato annotato',
  'exported the audit trail': 'ha esportato il registro',
  'removed the oldest entries of the audit trail': 'ha rimosso le voci più vecchie del registro',
  'the candidate': 'la persona intervistata',
  nobody: 'nessuno',
  retention: 'termine di conservazione',
  'There is no such deed in the audit trail.': 'Questa azione non esiste nel registro.',
  'Show that it is you: enter your password again, or sign in again.':
    'Mostri che è Lei: inserisca di nuovo la password, o acceda di nuovo.',
  'This is not your password.': 'Questa non è la Sua password.',
  'made the first account': 'ha creato il primo account',
  'chose a password': 'ha scelto una password',
  'changed their password': 'ha cambiato la propria password',
  'added an account': 'ha aggiunto un account',
  'changed an account': 'ha modificato un account',
  'made a link to choose a password': 'ha creato un link per scegliere una password',
  'made an API key': 'ha creato una chiave API',
  'removed an API key': 'ha rimosso una chiave API',
  'added a webhook': 'ha aggiunto un webhook',
  'changed a webhook': 'ha modificato un webhook',
  'removed a webhook': 'ha rimosso un webhook',
  'tested a webhook': 'ha provato un webhook',
  'sent a message again': 'ha inviato di nuovo un messaggio',
  disabled: 'disattivato',
  'ended an interview': 'ha terminato un colloquio',
  'suggested a question': 'ha suggerito una domanda',
  'listened in': 'ha ascoltato in diretta',
  'made a new link': 'ha creato un nuovo link',
  'took an invitation back': 'ha ritirato un invito',
  decided: 'ha deciso',
  'gave a level': 'ha dato un livello',
  'removed an interview': 'ha cancellato un colloquio',
  'made an opening': 'ha creato una posizione',
  'changed an opening': 'ha modificato una posizione',
  'changed a blueprint': 'ha modificato un tipo di colloquio',
  'took a blueprint back': 'è tornato a una versione di un tipo di colloquio',
  'copied a blueprint': 'ha copiato un tipo di colloquio',
  'version {}': 'versione {0}',
  'version {}: the text of version {}': 'versione {0}: il testo della versione {1}',
  'from {name}, version {}': 'da {name}, versione {0}',
  'opened or closed an opening': 'ha aperto o chiuso una posizione',
  'invited once more': 'ha invitato ancora una volta',
  'sent an invitation by mail': 'ha mandato un invito per e-mail',
  'proposed a time': 'ha proposto un orario',
  'took a proposed time back': 'ha ritirato un orario proposto',
  'shared a report': 'ha condiviso un rapporto',
  'took a link to a report back': 'ha ritirato un link a un rapporto',
  'read a report': 'ha letto un rapporto',
  'a shared link': 'un link condiviso',
  '1 day, {what}, {}': '1 giorno, {what}, {0}',
  '{days} days, {what}, {}': '{days} giorni, {what}, {0}',
  'with the decision': 'con la decisione',
  'without the decision': 'senza la decisione',
  'read by MCP': 'ha letto tramite MCP',
  transcript: 'trascrizione',
  report: 'rapporto',
  quotes: 'citazioni',
  'linked an account from elsewhere': 'ha collegato un account di altri',
  'came with an account from elsewhere': 'è arrivato con un account di altri',
  'has another role, by the provider': 'ha un altro ruolo, dal fornitore',
  'could not read an answer': 'non ha potuto leggere una risposta',
  invited: 'ha invitato',
  '1 candidate': '1 persona',
  '{count} candidates': '{count} persone',
  '1 candidate, from an applicant tracking system': '1 persona, da un sistema di gestione delle candidature',
  advance: 'Prosegue',
  hold: 'In sospeso',
  reject: 'Non ora',
  open: 'aperta',
  closed: 'chiusa',

  // Webhooks, and what came of their messages
  'There are {WEBHOOKS_MAX} webhooks, which are the most. Remove one.':
    'Ci sono {WEBHOOKS_MAX} webhook; di più non sono possibili. Ne rimuova uno.',
  'There is no such webhook.': 'Questo webhook non esiste.',
  'This webhook is disabled. Enable it, then send the test.':
    'Questo webhook è disattivato. Lo riattivi, poi invii la prova.',
  'There is no such message.': 'Questo messaggio non esiste.',
  'Choose an event at least.': 'Scelga almeno un evento.',
  'This address is longer than {URL_CHARS_MAX} characters.':
    'Questo indirizzo è più lungo di {URL_CHARS_MAX} caratteri.',
  'This is no address. Type one {example}.': 'Questo non è un indirizzo. Ne scriva uno, {example}.',
  'The address has to begin with https:// or http://, {example}.':
    'L’indirizzo deve iniziare con https:// o http://, {example}.',
  'The address has a name or a password in it. Take it out: messages are signed instead.':
    'Nell’indirizzo c’è un nome o una password. Li tolga: i messaggi vengono invece firmati.',
  'The address names no server. Type one {example}.': 'L’indirizzo non nomina nessun server. Ne scriva uno, {example}.',
  'like https://ats.example.org/hooks': 'come https://ats.example.org/hooks',
  'This address leads to this machine or into a private network, where no messages go. Take one that everybody can reach, or set web.webhooks_to_private.':
    'Questo indirizzo porta a questa macchina o in una rete privata, dove non vanno messaggi. Ne prenda uno che tutti possono raggiungere, o imposti web.webhooks_to_private.',
  'No answer came within {} seconds.': 'Entro {0} secondi non è arrivata nessuna risposta.',
  'No connection: {reason}': 'Nessuna connessione: {reason}',
  'The webhook was removed.': 'Il webhook è stato rimosso.',
  'The address of the tracking system begins with http://, where everybody on the way can read our key, so nothing was sent. It needs one that begins with https://, or web.partner_insecure.':
    'L’indirizzo del sistema di selezione inizia con http://, dove lungo il percorso chiunque può leggere la nostra chiave; perciò non è stato inviato nulla. Ne serve uno che inizi con https://, oppure web.partner_insecure.',
  "The webhook's secret is damaged. Remove it and add it anew.":
    'Il segreto del webhook è danneggiato. Rimuova il webhook e lo aggiunga di nuovo.',
  'The report was not made within a day.': 'Il rapporto non è stato preparato entro un giorno.',
  'The report could not be made.': 'Non è stato possibile preparare il rapporto.',
  'The interview is not over.': 'Il colloquio non è finito.',
  'The interview was removed.': 'Il colloquio è stato cancellato.',

  // Blueprints that are written in the web
  'There is no such blueprint.': 'Questo tipo di colloquio non c’è.',
  'There is no such version of a blueprint.': 'Questa versione di un tipo di colloquio non c’è.',
  'There is a blueprint of this name already. Choose another name.':
    'C’è già un tipo di colloquio con questo nome. Scelga un altro nome.',
  'A name has small letters, digits and hyphens, 40 at most, such as backend-screening.':
    'Un nome ha lettere minuscole, cifre e trattini, al massimo 40, per esempio backend-screening.',
  'There are {BLUEPRINTS_MAX} blueprints already; that is the most.':
    'Ci sono già {BLUEPRINTS_MAX} tipi di colloquio; di più non sono possibili.',
  'This blueprint has {VERSIONS_MAX} versions, which is the most. Copy it under a new name.':
    'Questo tipo di colloquio ha {VERSIONS_MAX} versioni; di più non sono possibili. Lo copi con un nuovo nome.',
  'Somebody else has saved this blueprint since you opened it. Your text is still here: look at what differs, then save yours again.':
    'Qualcun altro ha salvato questo tipo di colloquio da quando lo ha aperto. Il suo testo è ancora qui: guardi che cosa è diverso, poi salvi di nuovo il suo.',
  'These are {} files; {FILES_MAX} are the most.': 'Sono {0} file; al massimo {FILES_MAX} sono possibili.',
  'The files have {all} bytes together; {FILES_MAX_BYTES} are the most. Shorten them.':
    'I file hanno insieme {all} byte; al massimo {FILES_MAX_BYTES} sono possibili. Li accorci.',
  'A file is named blueprint.toml, phrases.toml, or as its stage with .md: small letters, digits and hyphens, such as past-experience.md.':
    'Un file si chiama blueprint.toml, phrases.toml, o come la sua fase con .md: lettere minuscole, cifre e trattini, per esempio past-experience.md.',
  'The stages have {questions} questions; {QUESTIONS_MAX} are the most. Take some out.':
    'Le fasi hanno {questions} domande; al massimo {QUESTIONS_MAX} sono possibili. Ne tolga alcune.',
  'There are two files of this name.': 'Ci sono due file con questo nome.',
  'This file has {} bytes; {FILE_MAX_BYTES} are the most. Shorten it.':
    'Questo file ha {0} byte; al massimo {FILE_MAX_BYTES} sono possibili. Lo accorci.',
  'A reason has {REASON_MAX_CHARS} characters at most. Shorten it.':
    'Una motivazione ha al massimo {REASON_MAX_CHARS} caratteri. La accorci.',
  'what you have changed': 'ciò che ha modificato',
  // Simulated candidates
  'ran with a simulated candidate': 'ha provato con una persona simulata',
  'The candidate was simulated: nothing here is about a person.':
    'La persona intervistata era simulata: niente qui riguarda una persona.',
  '{max} interviews with simulated candidates go on already, which is the most at a time. Try again when one of them has ended.':
    '{max} colloqui con persone simulate sono già in corso, il massimo insieme. Riprovi quando uno di essi è finito.',
  'Choose a speed from 1 to {SPEED_MAX}.': 'Scelga una velocità da 1 a {SPEED_MAX}.',
  'The candidate of this interview is simulated: there is no call, and nobody to decide about.':
    'In questo colloquio la persona intervistata è simulata: non c’è una chiamata, né qualcuno su cui decidere.',
  'This interview goes on in another process, which ends it by itself.':
    'Questo colloquio è in corso in un altro processo, che lo conclude da solo.',
  'This server holds no interviews with simulated candidates.':
    'Questo server non tiene colloqui con persone simulate.',
};
