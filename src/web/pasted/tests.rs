use super::*;

fn pairs(text: &str) -> Vec<(String, String)> {
    read(text).candidates.into_iter().map(|one| (one.name, one.email)).collect()
}

fn lines(lines: &[ListLine]) -> Vec<(u64, &str)> {
    lines.iter().map(|line| (line.line, line.text.as_str())).collect()
}

fn ada_and_bo() -> [(String, String); 2] {
    [
        ("Ada Lovelace".to_owned(), "ada@example.org".to_owned()),
        ("Bo Byron".to_owned(), "bo@example.org".to_owned()),
    ]
}

/// U02: lists from mail programs, spreadsheets and plain typing are read.
#[test]
fn usual_lists_are_read() {
    for text in [
        "Ada Lovelace <ada@example.org>\nBo Byron <bo@example.org>",
        "Ada Lovelace, ada@example.org\n\nBo Byron,bo@example.org\n",
        "Ada Lovelace\tada@example.org\r\nBo Byron\tbo@example.org",
        "ada@example.org;Ada Lovelace\nbo@example.org;Bo Byron",
        "\u{feff}Name,E-mail\n\"Ada Lovelace\",ada@example.org\nBo Byron,bo@example.org",
        "first name;last name;email\nAda;Lovelace;ada@example.org\nBo;Byron;bo@example.org",
        "Ada Lovelace ada@example.org\nBo Byron bo@example.org",
        "Name,Email\rAda Lovelace,ada@example.org\rBo Byron,bo@example.org",
        "1. Ada Lovelace (ada@example.org)\n2) Bo Byron [bo@example.org]",
        "ada@example.org (Ada Lovelace)\nbo@example.org - Bo Byron",
        "- Ada Lovelace - ada@example.org\n• Bo Byron: bo@example.org",
        "Ada Lovelace\nada@example.org\n\nBo Byron\nbo@example.org",
        "ada@example.org\nAda Lovelace\nbo@example.org\nBo Byron",
        "Name: Ada Lovelace, E-Mail: ada@example.org\nName: Bo Byron, E-Mail: bo@example.org",
    ] {
        assert_eq!(pairs(text), ada_and_bo(), "{text}");
    }
    assert_eq!(pairs("Ada\nBo"), [("Ada".to_owned(), String::new()), ("Bo".into(), String::new())]);
    assert_eq!(read(""), PastedList::default());
    assert_eq!(read("\n \t\n---\n"), PastedList::default());
}

/// U02: a list of addresses as mail programs write it is everybody in it, with the surname behind. Before:
/// the first was one row without a name, the last one row named "Ada Lovelace , Bo Byron <bo@example.org>".
#[test]
fn lists_of_addresses_are_read_as_such() {
    for text in [
        "Lovelace, Ada <ada@example.org>; Byron, Bo <bo@example.org>",
        "\"Lovelace, Ada\" <ada@example.org>; \"Byron, Bo\" <bo@example.org>;",
        "\"Lovelace, Ada\" <ada@example.org>, \"Byron, Bo\" <bo@example.org>",
        "Lovelace, Ada <ada@example.org>, Byron, Bo <bo@example.org>",
        "Ada Lovelace <ada@example.org>, Bo Byron <bo@example.org>",
        "Ada Lovelace <ada@example.org> Bo Byron <bo@example.org>",
        "To: Ada Lovelace <ada@example.org>; Bo Byron <bo@example.org>",
        "Applicants: Ada Lovelace <ada@example.org>, Bo Byron <bo@example.org>;",
        "Ada Lovelace <mailto:ada@example.org>\nBo Byron [bo@example.org](mailto:bo@example.org)",
        "Ada Lovelace <ada@example.org<mailto:ada@example.org>>; 'Bo Byron' <MAILTO:bo@example.org>",
        "Ada Lovelace, ada@example.org; Bo Byron, bo@example.org",
        "ada@example.org (Ada Lovelace), bo@example.org (Bo Byron)",
        "=?utf-8?Q?Ada_Lovelace?= <ada@example.org>, =?UTF-8?B?Qm8gQnlyb24=?= <bo@example.org>",
        "Lovelace, Ada\tada@example.org\nByron, Bo\tbo@example.org",
        "\u{200b}Ada\u{a0}Lovelace <\u{200b}ada@example.org\u{feff}>\u{2028}Bo Byron <bo＠example.org>",
    ] {
        assert_eq!(pairs(text), ada_and_bo(), "{text}");
    }
    let nameless = read("ada@example.org; bo@example.org");
    assert_eq!(nameless.candidates.len(), 2);
    assert!(nameless.candidates.iter().all(|one| one.name.is_empty() && one.problem.is_some()));
    let nickname = pairs("Ada \"Countess\" Lovelace <ada@example.org>, 'Bo' <bo@example.org>");
    assert_eq!((&*nickname[0].0, &*nickname[1].0), ("Ada Countess Lovelace", "Bo"));
    let suffix = pairs("Lovelace, Ada, PhD <ada@example.org>; O'Brien, Ann <o'brien@example.org>");
    assert_eq!(suffix[0].0, "Ada Lovelace, PhD");
    assert_eq!(suffix[1], ("Ann O'Brien".to_owned(), "o'brien@example.org".to_owned()));
}

/// U02: which column is which is known by what is in it, and headings are never candidates. Before: columns
/// of addresses with other headings were dropped, "1" and "sep=" were names.
#[test]
fn columns_are_known_by_what_is_in_them() {
    for text in [
        "Name;E-Mail-Adresse;Telefon\nAda Lovelace;ada@example.org;030 123\nBo Byron;bo@example.org;",
        "First Name,Middle Name,Last Name,Company,E-mail Address\nAda,,Lovelace,Acme,ada@example.org\n\
         Bo,,Byron,Acme,bo@example.org",
        "ID,Name,Email\n1,Ada Lovelace,ada@example.org\n2,Bo Byron,bo@example.org",
        "1,Ada Lovelace,ada@example.org\n2,Bo Byron,bo@example.org",
        "Surname;Given name;Mail\nLovelace;Ada;ada@example.org\nByron;Bo;bo@example.org",
        "Cognome;Nome;Posta\nLovelace;Ada;ada@example.org\nByron;Bo;bo@example.org",
        "Name;Vorname;Kontakt\nLovelace;Ada;ada@example.org\nByron;Bo;bo@example.org",
        "Firma;Wer;Wohin\nAcme;Ada Lovelace;ada@example.org\nAcme;Bo Byron;bo@example.org",
        "sep=;\nName;Email\nAda Lovelace;ada@example.org\nBo Byron;bo@example.org",
        "| Name | Email |\n|---|:-:|\n| Ada Lovelace | ada@example.org |\n| Bo Byron | bo@example.org |",
        "Candidate Name\tAddress\nLovelace, Ada\tada@example.org\nByron, Bo\tbo@example.org",
        "Ada,Lovelace,ada@example.org\nBo,Byron,bo@example.org",
        "Lovelace,Ada,ada@example.org\nByron,Bo,bo@example.org",
        "Name,Email,Recruiter email\nAda Lovelace,ada@example.org,rita@example.org\n\
         Bo Byron,bo@example.org,rita@example.org",
        "Name,Handle,Kontakt\nAda Lovelace,@ada,<mailto:ada@example.org>\nBo Byron,@bo,bo@example.org",
        "\"Name\",\"Email\"\n\"Ada\nLovelace\",ada@example.org\nBo Byron, \"bo@example.org\"",
        "Ada Lovelace,ada@example.org,Bo Byron,bo@example.org",
    ] {
        assert_eq!(pairs(text), ada_and_bo(), "{text}");
    }
    assert_eq!(pairs("Candidate Name\nAda\nBo").len(), 2);
    let phones = pairs("Name;Phone\nAda Lovelace;030 123\nLovelace, Bo;030 124");
    assert_eq!(
        phones,
        [("Ada Lovelace".to_owned(), String::new()), ("Bo Lovelace".into(), String::new())]
    );
    // A quote that is never closed swallows nobody.
    let open = "\"Ada Lovelace,ada@example.org\nBo Byron,bo@example.org";
    assert_eq!(pairs(open), ada_and_bo());
    let open = "Ada \"Countess Lovelace,ada@example.org\nBo,bo@example.org\nCy,cy@example.org";
    assert_eq!(pairs(open).len(), 3);
}

/// U02: each line is accounted for: as people, as a heading, or as not understood.
#[test]
fn every_line_is_accounted_for() {
    let list = read(
        "Export of 28.11.2026\nsent by the agency:\nName;Email\nAda Lovelace;ada@example.org\n\n;;7\n\
         Bo Byron;bo@example.org\nName;Email\nCy;",
    );
    assert_eq!(list.candidates.iter().map(|one| one.line).collect::<Vec<_>>(), [4, 7, 9]);
    assert_eq!(lines(&list.headings), [(3, "Name;Email"), (8, "Name;Email")]);
    let unread = [(1, "Export of 28.11.2026"), (2, "sent by the agency:"), (6, ";;7")];
    assert_eq!(lines(&list.unread), unread);
    let list = read("sep=,\nsep,Email\nAda,ada@example.org");
    assert_eq!((list.candidates.len(), list.headings.len()), (1, 2));
    let list = read("Ada <ada@example.org>\nhttps://example.org/list\n41 people in all");
    assert_eq!((list.candidates.len(), list.unread.len()), (1, 2));
    let list = read(&"https://example.org\n".repeat(30));
    assert_eq!((list.candidates.len(), list.unread.len(), list.unread_more), (0, 20, 10));
}

/// U02: what is wrong is told by its line, and the rest is read.
#[test]
fn what_is_wrong_is_told_by_its_line() {
    let read = read("Ada,ada@example.org\nada@example.org\nCy,cy@\nDan,ADA@example.org").candidates;
    let problems: Vec<_> = read.iter().map(|one| (one.line, one.problem.is_some())).collect();
    assert_eq!(problems, [(1, false), (2, true), (3, true), (4, true)]);
    assert!(read[3].problem.as_ref().unwrap().contains("line 1"), "{read:?}");
    let many = "Ada\n".repeat(201);
    let read = super::read(&many).candidates;
    assert_eq!(read.len(), 201);
    assert!(read[200].problem.is_some() && read[199].problem.is_none());
    let numbers = super::read("Name,Email\n7,ada@example.org").candidates;
    assert!(numbers[0].problem.as_ref().unwrap().contains("no name"), "{numbers:?}");
}

/// U02: letters that were lost before the list came here are never fine. Before: "Jos� N��ez" was.
#[test]
fn lost_letters_are_never_fine() {
    let broken = String::from_utf8_lossy(b"\xff\xfeA\0d\0a\0,\0a\0@\0x\0.\0o\0r\0g\0").into_owned();
    for text in ["Name;Email\nJos\u{fffd};jose@example.org", &broken] {
        let [one] = &read(text).candidates[..] else { panic!("{text}") };
        assert!(one.problem.as_ref().unwrap().contains("Letters were lost"), "{one:?}");
    }
}

/// U02: a list as Excel saves it is read by its bytes: in the encoding of Windows, and as "Unicode text".
#[test]
fn files_of_spreadsheets_are_read_by_their_bytes() {
    let expected = [
        ("José Núñez".to_owned(), "jose@example.org".to_owned()),
        ("Zoë Müller".to_owned(), "zoe@example.org".to_owned()),
    ];
    let western = b"Name;Email\r\nJos\xe9 N\xfa\xf1ez;jose@example.org\r\n\
        Zo\xeb M\xfcller;zoe@example.org\r\n";
    let text = ::documents::letters("invite.csv", western).unwrap();
    assert_eq!(pairs(&text), expected);
    for mark in ["\u{feff}", ""] {
        let text = format!("{mark}{}", text.replace(';', "\t"));
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(pairs(&::documents::letters("invite.txt", &bytes).unwrap()), expected);
    }
    let sheet = ::documents::letters("invite.xlsx", b"PK\x03\x04").unwrap_err().to_string();
    assert!(sheet.contains("save it as .csv"), "{sheet}");
}
