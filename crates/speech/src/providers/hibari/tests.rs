//! Tests of the voice with its own files, which `make test` fetches.

use std::{env, path::PathBuf};

use super::*;

/// The network of the voice that `make test` fetches.
const NETWORK: &str = "hibari.onnx";

/// Returns the folder of the voice's files: that of the networks, as set or in the user's cache.
fn folder() -> PathBuf {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cache"));
    let cache = || {
        env::var_os("XDG_CACHE_HOME").filter(|set| !set.is_empty()).map(PathBuf::from).or_else(home)
    };
    let models = env::var_os("VIVAVOCE_SPEECH__MODELS_DIR").map(PathBuf::from);
    let models = models.or_else(|| Some(cache()?.join("vivavoce/models")));
    models.expect("HOME says where the cache is").join("hibari")
}

fn voice() -> Arc<Hibari> {
    Hibari::load(&folder().join(NETWORK))
        .unwrap_or_else(|why| panic!("{why}; `make test` fetches it"))
}

/// Texts are read as the original reads them.
#[test]
fn texts_are_read_as_by_the_original() {
    let (voice, worker) = (voice(), Worker::default());
    let read = |text: &str| {
        let sentences = voice.g2p.sentences(text).into_iter();
        sentences
            .map(|sentence| voice.g2p.phonemes(sentence, &worker.0))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let wrong: Vec<String> = READ
        .iter()
        .filter(|(text, phonemes)| read(text) != *phonemes)
        .map(|(text, phonemes)| format!("{text}\n  {phonemes}\n  {}", read(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Here we differ from the original: an interviewer speaks of a résumé.
    assert_eq!(read("Your resume says so."), "jˌʊɹ ɹˈɛzəmˌA sˈɛz sˌO.");
    assert_eq!(read("Let us resume."), "lˈɛt ˌʌs ɹəzˈum.");
}

/// The network's output for a short sentence is that of the original's runtime, whatever the pieces.
#[test]
fn the_network_says_what_it_says_elsewhere() {
    let (voice, worker) = (voice(), Worker::default());
    let ids = voice.ids("həlˈO ðˈɛɹ.");
    assert_eq!(ids, [50, 83, 54, 156, 31, 16, 81, 156, 86, 123, 4]);
    let plan = voice.graph.plan([&[0], &ids[..], &[0]].concat(), &worker.0).unwrap();
    let frames = plan.f0.len();
    assert!((108..=112).contains(&frames), "{frames}");
    for (frame, pitch) in [(24, 197.4), (30, 236.7), (42, 281.7), (54, 206.4), (66, 167.6)] {
        assert!((plan.f0[frame] - pitch).abs() < 12.0, "{frame}: {} for {pitch}", plan.f0[frame]);
    }
    let means = |parts: &graph::Parts, frame: usize| {
        parts.frame(frame).map(|part| part.sum::<f32>() / dsp::BINS as f32)
    };
    let whole = voice.graph.parts(&plan, 0, frames, &worker.0).unwrap();
    // Means over eight frames: the levels of harmonics, noise and rest.
    for (from, harmonics, noise, rest) in [
        (24, -3.639, -8.997, -2.224),
        (40, -1.772, -7.391, -2.66),
        (56, -3.205, -8.663, -2.823),
        (88, -8.904, -17.383, -8.498),
    ] {
        let of = |part: usize| {
            (from..from + 8).map(|frame| means(&whole, frame)[part]).sum::<f32>() / 8.0
        };
        for (part, expected) in [(0, harmonics), (2, noise), (3, rest)] {
            assert!(
                (of(part) - expected).abs() < 0.5,
                "{from} {part}: {} for {expected}",
                of(part)
            );
        }
    }
    let piece = voice.graph.parts(&plan, 40, 60, &worker.0).unwrap();
    for frame in 40..60 {
        let (alone, within) = (means(&piece, frame - 40), means(&whole, frame));
        for part in [0, 2, 3] {
            assert!(
                (alone[part] - within[part]).abs() < 0.3,
                "{frame} {part}: {alone:?} {within:?}"
            );
        }
    }
}

/// The same text gives the same samples, as loud as other voices; the first ones come before the rest is
/// made.
#[test]
fn sound_comes_soon_and_is_always_the_same() {
    let (voice, worker) = (voice(), Worker::default());
    let text = "Thank you, that helps. What was the hardest problem that you solved in your last \
        project, and how did you \
        go about it when you found that there was less time, less money and less help than you had \
        been told?";
    let speak = |worker: &Worker| {
        let mut pieces: Vec<Vec<i16>> = Vec::new();
        voice
            .speak(text, worker, &mut |samples| {
                pieces.push(samples.to_vec());
                Go::On
            })
            .unwrap();
        pieces
    };
    let pieces = speak(&worker);
    assert_eq!(speak(&Worker::default()), pieces);
    let sound = pieces.concat();
    let seconds = |samples: usize| samples as f32 / RATE as f32;
    assert!((9.0..14.0).contains(&seconds(sound.len())), "{}", seconds(sound.len()));
    let first = pieces[0].len();
    assert!((1..RATE as usize).contains(&first), "{first}");
    let mut calls = 0;
    let stopped = voice.speak(text, &worker, &mut |samples| {
        calls += 1;
        assert_eq!(samples, pieces[0]);
        Go::Stop
    });
    assert_eq!((stopped, calls), (Ok(()), 1));
    let loud: Vec<f64> = sound
        .chunks(240)
        .map(|piece| piece.iter().map(|s| (f64::from(*s) / 32_768.0).powi(2)).sum::<f64>() / 240.0)
        .collect();
    let voiced: Vec<&f64> = loud.iter().filter(|power| **power > 1e-4).collect();
    let level = 10.0 * (voiced.iter().copied().sum::<f64>() / voiced.len() as f64).log10();
    assert!((-23.0..-17.0).contains(&level), "{level} dB");
    assert!(sound.iter().all(|sample| sample.unsigned_abs() < 32_700));
}

/// A long sentence is divided where clauses end, one without clauses where words do, and nothing of it is
/// lost.
#[test]
fn long_sentences_are_divided() {
    let words = |word: &str, count: usize| vec![word; count].join(" ");
    let (short, clause) = (words("wɜɹd", 20), words("wɜɹd", 12) + ", ");
    for (phonemes, lengths) in [
        (String::new(), vec![0]),
        (short.clone(), vec![99]),
        (words("wɜɹd", 60), vec![299]),
        (words("wɜɹd", 120), vec![399, 199]),
        (clause.repeat(4) + &short, vec![121, 121, 99]),
        (words("wɜɹd", 40) + ", " + &short, vec![200, 99]),
        ("ˈ".repeat(900), vec![400, 400, 100]),
    ] {
        let pieces = divided(&phonemes);
        let got: Vec<usize> = pieces.iter().map(|piece| piece.chars().count()).collect();
        assert_eq!(got, lengths, "{phonemes}");
        let solid = |text: &str| text.replace(' ', "");
        assert_eq!(solid(&pieces.concat()), solid(&phonemes));
    }
}

/// A folder without the files, or with broken ones, is reported in one sentence that names the file and what
/// to do.
#[test]
fn a_missing_voice_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("", &b""[..]), (NETWORK, b""), (NETWORK, b"no network at all")] {
        if !name.is_empty() {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let error = Hibari::load(&folder.path().join(NETWORK)).err().unwrap();
        let what = &error.what;
        assert!(what.contains(NETWORK) && what.contains("fetch") && !what.contains('\n'), "{what}");
        assert_eq!(error.retry, Retry::Never);
    }
}

/// Texts and their phonemes, as hibari-tts 0.2.1 gives them.
const READ: &[(&str, &str)] = &[
    ("Hello there.", "həlˈO ðˈɛɹ."),
    ("Hello, and welcome to the interview.", "həlˈO, ænd wˈɛlkəm tə ði ˈɪntəɹvjˌu."),
    ("Could you tell me a little about yourself?", "kˌʊd ju tˈɛl mˌi ɐ lˈɪTᵊl əbˈWt jəɹsˈɛlf?"),
    (
        "What was the hardest problem you solved in your last project, and how did you go about it?",
        "wˌʌt wʌz ðə hˈɑɹdɪst pɹˈɑbləm ju sˈɑlvd ɪn jʊɹ lˈæst pɹˈɑʤˌɛkt, ænd hˌW dˈɪd ju ɡˌO əbˈWt ɪt?",
    ),
    ("Thank you for telling me about that.", "θˈæŋk ju fɔɹ tˈɛlɪŋ mˌi əbˈWt ðˈæt."),
    (
        "Why did you decide to leave your previous job?",
        "wˌI dˈɪd ju dəsˈId tə lˈiv jʊɹ pɹˈiviəs ʤˈɑb?",
    ),
    ("Where do you see yourself in five years?", "wˌɛɹ dˈu ju sˈi jəɹsˈɛlf ɪn fˈIv jˈɪɹz?"),
    ("I read the book that you have read.", "ˌI ɹˈɛd ðə bˈʊk ðæt ju hæv ɹˈɛd."),
    ("They will record a new record tomorrow.", "ðˌA wɪl ɹəkˈɔɹd ɐ nˈu ɹˈɛkəɹd təmˈɑɹO."),
    ("We live near a live music venue.", "wˌi lˈɪv nˌɪɹ ɐ lˈIv mjˈuzɪk vˈɛnjˌu."),
    ("She used to use the used car.", "ʃˌi jˈust tə jˈuz ðə jˈuzd kˈɑɹ."),
    (
        "The apple and the pear, in the end, to eat or to give.",
        "ði ˈæpᵊl ænd ðə pˈɛɹ, ɪn ði ˈɛnd, tʊ ˈit ɔɹ tə ɡˈɪv.",
    ),
    ("I am who I am.", "ˌI ɐm hˌu ˌI æm."),
    (
        "It costs $5.50, or £3, or €1,200.75.",
        "ˌɪt kˈɔsts fˈIv dˈɑləɹz ænd fˈɪfti sˈɛnts, ɔɹ θɹˈi pˈWndz, ɔɹ wˈʌn θˈWzᵊnd tˈu hˈʌndɹəd \
            jˈʊɹOz ænd sˈɛvənti fˈIv sˈɛnts.",
    ),
    (
        "That was $3.2 billion in 2019.",
        "ðˈæt wʌz θɹˈi pYnt tˈu bˈɪljən dˈɑləɹz ɪn twˈɛnti nˌIntˈin.",
    ),
    (
        "The meeting is at 9:30am on October 12, 2019.",
        "ðə mˈiTɪŋ ɪz æt nˈIn θˈɜɹTi ˌAˈɛm ˌɔn ɑktˈObəɹ twˈɛlfθ, twˈɛnti nˌIntˈin.",
    ),
    ("Meet me at 10:05 p.m. or at 7:00.", "mˈit mˌi æt tˈɛn ˈO fˈIv pˌiˈɛm ɔɹ æt sˈɛvən əklˈɑk."),
    (
        "The date was 10/12/2019, or 2019-10-12.",
        "ðə dˈAt wʌz ɑktˈObəɹ twˈɛlfθ, twˈɛnti nˌIntˈin, ɔɹ ɑktˈObəɹ twˈɛlfθ, twˈɛnti nˌIntˈin.",
    ),
    (
        "On the 5th of May, Jan. 3rd and March 21st, 2020.",
        "ˌɔn ðə fˈɪfθ ʌv mˈA, ʤˈænjəwˌɛɹi θˈɜɹd ænd mˈɑɹʧ twˈɛntifˌɜɹst, twˈɛnti twˈɛnti.",
    ),
    (
        "Dr. Smith and Mrs. Jones live on Baker St. in London.",
        "dˈɑktəɹ smˈɪθ ænd mˈɪsɪz ʤˈOnz lˈɪv ˌɔn bˈAkəɹ stɹˈit ɪn lˈʌndən.",
    ),
    (
        "He weighs 80kg and runs 5 km in 20 min at 15 mph.",
        "hˌi wˈAz ˈATi kˈɪləɡɹˌæmz ænd ɹˈʌnz fˈIv kəlˈɑməTəɹz ɪn twˈɛnti mˈɪnəts æt fˌɪftˈin mˈIlz pɜɹ ˈWəɹ.",
    ),
    (
        "It was 20°C, then 70 °F, and 1° less.",
        "ˌɪt wʌz twˈɛnti dəɡɹˈiz sˈɛlsiəs, ðˈɛn sˈɛvənti dəɡɹˈiz fˈɛɹənhˌIt, ænd wˈʌn dəɡɹˈi lˈɛs.",
    ),
    (
        "Chapter IV tells of Henry VIII and World War II.",
        "ʧˈæptəɹ fˈɔɹ tˈɛlz ʌv hˈɛnɹi ði ˈAθ ænd wˈɜɹld wˈɔɹ tˈu.",
    ),
    (
        "Call 555-1234 or 415-555-2671 now.",
        "kˈɔl fˈIv fˈIv fˈIv, wˈʌn tˈu θɹˈi fˈɔɹ ɔɹ fˈɔɹ wˈʌn fˈIv, fˈIv fˈIv fˈIv, tˈu sˈɪks \
            sˈɛvən wˈʌn nˈW.",
    ),
    (
        "Take 1/2 of it, or 3/4, or 7/16.",
        "tˈAk wˈʌn hˈæf ʌv ɪt, ɔɹ θɹˈi kwˈɔɹTəɹz, ɔɹ sˈɛvən sˌɪkstˈin.",
    ),
    (
        "It takes 2-3 years, 10 – 12 at most.",
        "ˌɪt tˈAks tˈu tə θɹˈi jˈɪɹz, tˈɛn tə twˈɛlv æt mˈOst.",
    ),
    (
        "About 40% of 1,234,567 people came 1st, 2nd, 3rd or 101st.",
        "əbˈWt fˈɔɹTi pəɹsˈɛnt ʌv wˈʌn mˈɪljᵊn tˈu hˈʌndɹəd θˈɜɹTi fˈɔɹ θˈWzᵊnd fˈIv hˈʌndɹəd \
            sˈɪksti sˈɛvən pˈipᵊl kˈAm fˈɜɹst, sˈɛkənd, θˈɜɹd ɔɹ wˈʌn hˈʌndɹəd fˈɜɹst.",
    ),
    (
        "In 1999, in 2005, and in the 1980s.",
        "ɪn nˌIntˈin nˈIndi nˈIn, ɪn tˈu θˈWzᵊnd fˈIv, ænd ɪn ðə nˌIntˈin ˈATiz.",
    ),
    (
        "Pi is 3.14159, or about 3.0, and .5 is half.",
        "pˈI ɪz θɹˈi pYnt wˈʌn fˈɔɹ wˈʌn fˈIv nˈIn, ɔɹ əbˈWt θɹˈi, ænd fˈIv ɪz hˈæf.",
    ),
    ("He has -5 degrees and +3 points.", "hˌi hæz mˈInəs fˈIv dəɡɹˈiz ænd plˈʌs θɹˈi pˈYnts."),
    (
        "The API returns JSON over HTTP, e.g. from AWS S3.",
        "ði ˌApˌiˈI ɹətˈɜɹnz ʤˌAˌɛsˌOˈɛn ˈOvəɹ ˌAʧtˌitˌipˈi, ˌiʤˈi fɹʌm ˌAdˌʌbᵊljuˈɛs ˈɛs θɹˈi.",
    ),
    (
        "I work with Kubernetes, PostgreSQL, JavaScript and GraphQL.",
        "ˌI wˈɜɹk wɪð kjˈubəɹnˌits, pˈOstɡəɹ ˌɛskjˌuˈɛl, ʤˈɑvəskɹˌɪpt ænd ɡɹˌæfkjˌuˈɛl.",
    ),
    (
        "We use Python 3.11, Node.js and React at our startup.",
        "wˌi jˈuz pˈIθˌɑn θɹˈi pYnt wˈʌn wˈʌn, nˈOd ʤˌAˈɛs ænd ɹiˈækt æt ˌWəɹ stˈɑɹTʌp.",
    ),
    (
        "CI/CD pipelines and and/or logic, client-server systems.",
        "sˌiˈI sˌidˈi pˈIplˌInz ænd ænd ɔɹ lˈɑʤɪk, klˌIəntsˈɜɹvəɹ sˈɪstəmz.",
    ),
    (
        "My e-mail is john.doe@example.com, see www.example.org.",
        "mˌI ˈimˌAl ɪz ʤˈɑn dˈO æt ɪɡzˈæmpəl kˈɑm, sˈi dʊˌʊuə ɛɡzˈæmpᵊl ˈɔɹɡ.",
    ),
    (
        "The U.S. and the U.K. signed it at 3 a.m. in the U.N.",
        "ðə jˌuˈɛs ænd ðə jˌukˈA sˈInd ɪt æt θɹˈi ˌAˈɛm ɪn ðə jˌuˈɛn",
    ),
    ("NASA, the FBI and IBM, TO THE MOON.", "nˈæsə, ði ˌɛfbˌiˈI ænd ˌIbˌiˈɛm, tə ðə mˈun."),
    (
        "Łukasz Kowalski met Siobhan O'Connor and Nguyen van Dijk.",
        "lˈukæsz kWˈɔlski mˈɛt sɪˈɑbhən ˈO kˈɑnəɹ ænd əŋˈIən vˈæn dˈAk.",
    ),
    (
        "Schwarzenegger's colleague Aditya Venkataraman moved to Reykjavik.",
        "ʃwˈɔɹzənˌɛɡəɹz kˈɑliɡ ˈædɪTiə vˈɛŋkətˌæɹæmən mˈuvd tə ɹˈAkjəvˌɪk.",
    ),
    (
        "The quick brown fox's tails weren't wagging; it's the dogs' turn.",
        "ðə kwˈɪk bɹˈWn fˈɑksᵻz tˈAlz wˌɜɹnt wˈæɡɪŋ; ɪts ðə dˈɔɡz tˈɜɹn.",
    ),
    (
        "Don't you think they'd've said they're coming? I can't, we won't, she'll.",
        "dˈOnt ju θˈɪŋk θˈAdv sˈɛd ðɛɹ kˈʌmɪŋ? ˌI kˈænt, wi wˈOnt, ʃil.",
    ),
    (
        "Well... that is \"quite\" an idea, isn't it (really)?",
        "wˈɛl... ðæt ɪz kwˈIt ɐn Idˈiə, ˈɪzᵊnt ɪt (ɹˈiᵊli)?",
    ),
    (
        "Tell me about a time when you disagreed with your manager: what happened?",
        "tˈɛl mˌi əbˈWt ɐ tˈIm wˌɛn ju dˌɪsəɡɹˈid wɪð jʊɹ mˈænɪʤəɹ: wˌʌt hˈæpənd?",
    ),
    (
        "First, read the spec; second, write tests - then ship it!",
        "fˈɜɹst, ɹˈid ðə spˈɛk; sˈɛkənd, ɹˈIt tˈɛsts — ðˈɛn ʃˈɪp ɪt!",
    ),
    (
        "He tested, visited, batted, planned, and was blessed.",
        "hˌi tˈɛstᵻd, vˈɪzɪTᵻd, bˈæTᵻd, plˈænd, ænd wʌz blˈɛst.",
    ),
    (
        "Planning, panicking, biting, betting and dancing all day.",
        "plˈænɪŋ, pˈænɪkɪŋ, bˈITɪŋ, bˈɛTɪŋ ænd dˈænsɪŋ ˈɔl dˈA.",
    ),
    (
        "Boxes, churches, buzzes, cats, dogs and ladies.",
        "bˈɑksᵻz, ʧˈɜɹʧᵻz, bˈʌzᵻz, kˈæts, dˈɔɡz ænd lˈAdiz.",
    ),
    (
        "R2D2 flew a B52 and a 747 to Area 51 on flight 305.",
        "ˈɑɹtədˈi tˈu flˈu ɐ bˈi fˈɪfti tˈu ænd ɐ sˈɛvən hˈʌndɹəd fˈɔɹTi sˈɛvən tʊ ˈɛɹiə fˈɪfti \
            wˈʌn ˌɔn flˈIt θɹˈi hˈʌndɹəd fˈIv.",
    ),
    (
        "Version 1.2.3 of the iPhone 15 and the PlayStation5.",
        "vˈɜɹʒən wˈʌn tˈu θɹˈi ʌv ði ˈIfˌOn fˌɪftˈin ænd ðə plˈA stˈAʃən fˈIv.",
    ),
    (
        "I got a B+ in C++ & an A- in maths @ school.",
        "ˌI ɡɑt ɐ bˈi plˈʌs ɪn sˈi plˈʌs plˈʌs ænd ɐn ˈA ɪn mˈæθs æt skˈul.",
    ),
    (
        "Rs. 500, ¥1,000, 50¢, USD 3 million and 2k.",
        "fˈIv hˈʌndɹəd ɹupˈiz, wˈʌn θˈWzᵊnd jˈɛn, fˈɪfti sˈɛnts, θɹˈi mˈɪljᵊn dˈɑləɹz ænd tˈu kˈA.",
    ),
    (
        "Item #5, No. 7 and vol. 3, pp. 10-12, fig. 2.",
        "ˈITəm nˈʌmbəɹ fˈIv, nˈʌmbəɹ sˈɛvən ænd vˈɑljˌum θɹˈi, pˈAʤᵻz tˈɛn tə twˈɛlv, fˈɪɡjəɹ tˈu.",
    ),
    (
        "w/o doubt, approx. 5 hrs vs. 10 mins.",
        "wɪðˈWt dˈWt, əpɹˈɑksəmətli fˈIv ˈWəɹz vˈɜɹsəs tˈɛn mˈɪnəts.",
    ),
    (
        "x = y + 2, a < b, c > d, ~5 and 3 × 4.",
        "ˈɛks ˈikwᵊlz wˈI plˈʌs tˈu, ɐ lˈɛs ðən bˈi, sˈi ɡɹˈATəɹ ðən dˈi, əbˈWt fˈIv ænd θɹˈi tˈImz fˈɔɹ.",
    ),
    (
        "The résumé of José from São Paulo, a naïve café owner.",
        "ðə ɹˌAsumˈA ʌv ʤəsˈA fɹʌm sˈW pˈɔlO, ɐ nIˈiv kæfˈA ˈOnəɹ.",
    ),
    ("Use by the end, stand by, pass it by.", "jˈuz bI ði ˈɛnd, stˈænd bˈI, pˈæs ɪt bˈI."),
    (
        "The object objects to the present that they present.",
        "ði ˈɑbʤəkt ˈɑbʤəkts tə ðə pɹˈɛzᵊnt ðæt ðA pɹizˈɛnt.",
    ),
    (
        "I'd like to dig into your experience with distributed systems a bit more.",
        "ˌId lˈIk tə dˈɪɡ ˈɪntu jʊɹ ɪkspˈɪɹiəns wɪð dəstɹˈɪbjuTᵻd sˈɪstəmz ɐ bˈɪt mˈɔɹ.",
    ),
    (
        "Great, that makes sense. So how big was the team?",
        "ɡɹˈAt, ðæt mˌAks sˈɛns. sˌO hˌW bˈɪɡ wʌz ðə tˈim?",
    ),
    (
        "Let's move on to your past experience; how long did you work at Microsoft?",
        "lˈɛts mˈuv ˌɔn tə jʊɹ pˈæst ɪkspˈɪɹiəns; hˌW lˈɔŋ dˈɪd ju wˈɜɹk æt mˈIkɹOsˌɔft?",
    ),
    (
        "That's a good point, Priya. What would you do differently?",
        "ðˈæts ɐ ɡˈʊd pˈYnt, pɹˈɪjə. wˌʌt wʊd ju dˈu dˈɪfəɹəntli?",
    ),
    (
        "Is there anything about the role, the team or the company that you would like to ask?",
        "ˌɪz ðɛɹ ˈɛniθˌɪŋ əbˈWt ðə ɹˈOl, ðə tˈim ɔɹ ðə kˈʌmpᵊni ðæt ju wʊd lˈIk tʊ ˈæsk?",
    ),
    (
        "We have about 15 minutes left, so 2 more questions.",
        "wˌi hæv əbˈWt fˌɪftˈin mˈɪnəts lˈɛft, sˌO tˈu mˈɔɹ kwˈɛsʧᵊnz.",
    ),
    (
        "supercalifragilisticexpialidocious blorptang zyxw",
        "sˌupəɹkˌæləfɹˌæʤəlˌɪstɪkˌɛkspiˌælədˈOʃəs blˈɔɹptæŋ zˈIkswə",
    ),
    (
        "The 90s and the '90s were 1990-1999.",
        "ðə nˈIndiz ænd ðə nˈIndiz wɜɹ nIntˌin nˌIndinˌIntˈin nˈIndi nˈIn.",
    ),
    (
        "Twenty-one gun salute for the 21-year-old, a well-known state-of-the-art device.",
        "twˌɛntiwˈʌn ɡˈʌn səlˈut fɔɹ ðə twˈɛnti wˈʌn jˈɪɹ ˈOld, ɐ wˌɛlnˈOn stˈAtʌvðiˈɑɹt dəvˈIs.",
    ),
    (
        "Microservices, DevOps, SQL, NoSQL, MySQL and OAuth2.",
        "mˌIkɹOsˈɜɹvɪsᵻz, dˈɛv ˈɑps, sˈikwəl, nˌOsˈikwəl, mˌIsˈikwəl ænd ˈO ˈɔθ tˈu.",
    ),
    ("Goodbye, and all the best!", "ɡˌʊdbˈI, ænd ˈɔl ðə bˈɛst!"),
];
