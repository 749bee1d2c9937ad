//! The C library Flite 2.2, as Debian ships it, opened at run time.
//!
//! This file only calls the C functions; the one thread that may do so is in `tts_flite`.

use std::{
    cell::RefCell,
    ffi::{CString, c_char, c_int, c_void},
    ptr::{self, NonNull},
    slice,
};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW, Symbol};

use super::{ProviderError, Retry};

/// The least number of samples in a piece of sound: 40 ms at 16 kHz.
const PIECE_SAMPLES: c_int = 640;
/// The results of a callback.
const GO_ON: c_int = 0;
const STOP: c_int = -1;

/// A voice of Flite. It must stay on one thread: two voices that speak at the same time crash the process.
pub(super) struct Voice {
    raw: NonNull<c_void>,
    text_to_wave: unsafe extern "C" fn(*const c_char, *mut c_void) -> *mut Wave,
    delete_wave: unsafe extern "C" fn(*mut Wave),
    /// The libraries, which keep the code of the voice loaded.
    _libraries: [Library; 4],
}

/// The beginning of `cst_voice`.
#[repr(C)]
struct Head {
    name: *const c_char,
    features: *mut c_void,
}

/// `cst_wave`
#[repr(C)]
struct Wave {
    kind: *const c_char,
    sample_rate: c_int,
    num_samples: c_int,
    num_channels: c_int,
    samples: *mut i16,
}

/// The beginning of `cst_audio_streaming_info`; the rest differs between versions.
#[repr(C)]
struct Streaming {
    min_buffsize: c_int,
    callback: Option<Callback>,
}

type Callback = unsafe extern "C" fn(*const Wave, c_int, c_int, c_int, *mut c_void) -> c_int;

/// The answer of a listener of [`Voice::speak`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    On,
    Stop,
}

/// The consumer of pieces of sound, with their sample rate.
type Listener = Box<dyn FnMut(u32, &[i16]) -> Go>;

thread_local! {
    /// The listener of the voice that speaks on this thread.
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
}

impl Voice {
    /// Opens the voice `slt`, `rms`, `awb` or `kal`.
    pub(super) fn open(name: &str) -> Result<Self, ProviderError> {
        let library = match name {
            "slt" | "rms" | "awb" => format!("libflite_cmu_us_{name}.so.1"),
            "kal" => "libflite_cmu_us_kal16.so.1".to_owned(),
            _ => {
                let what =
                    format!("there is no Flite voice \"{name}\": choose slt, rms, awb or kal");
                return Err(ProviderError { what, retry: Retry::Never });
            }
        };
        let register = library.trim_start_matches("libflite_").trim_end_matches(".so.1");
        let register = CString::new(format!("register_{register}")).expect("no NUL in a name");
        load(&library, &register).map_err(|error| ProviderError {
            what: format!(
                "the voice Flite cannot be loaded ({error}): install it with: apt-get install libflite1"
            ),
            retry: Retry::Never,
        })
    }

    /// Speaks `text`, piece by piece, until its end or until the listener stops it.
    pub(super) fn speak(&mut self, text: &str, listener: Listener) {
        // The text has no NUL after `speakable`; a NUL would be no speech.
        let text = CString::new(text.replace('\0', " ")).expect("no NUL is left");
        LISTENER.set(Some(listener));
        // SAFETY: the voice is one of this library and on its only thread; the text lives during the call.
        // The wave is owned by us and may be null.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            let wave = (self.text_to_wave)(text.as_ptr(), self.raw.as_ptr());
            if !wave.is_null() {
                (self.delete_wave)(wave);
            }
        }
        LISTENER.set(None);
    }
}

/// Passes a piece from C to the listener of this thread.
// SAFETY of the callers: only Flite calls it, with a wave that holds `start + size` samples.
#[expect(unsafe_code, reason = "called by C")]
unsafe extern "C" fn on_piece(
    wave: *const Wave,
    start: c_int,
    size: c_int,
    _last: c_int,
    _info: *mut c_void,
) -> c_int {
    let (Ok(start), Ok(size)) = (usize::try_from(start), usize::try_from(size)) else {
        return STOP;
    };
    // SAFETY: see above; the samples are only read during this call.
    #[expect(unsafe_code, reason = "called by C")]
    let (rate, samples) = unsafe {
        let wave = &*wave;
        (wave.sample_rate, slice::from_raw_parts(wave.samples.add(start).cast_const(), size))
    };
    let rate = u32::try_from(rate).unwrap_or_default();
    LISTENER.with_borrow_mut(|listener| match listener.as_mut().map(|hear| hear(rate, samples)) {
        Some(Go::On) => GO_ON,
        Some(Go::Stop) | None => STOP,
    })
}

fn load(voice: &str, register: &CString) -> Result<Voice, libloading::Error> {
    // SAFETY: the initialisers of these libraries set up tables of their own. Names and types are those of
    // flite.h 2.2. Everything that is called stays with its libraries in `Voice`; the voice itself and the
    // streaming information live for ever, as the libraries' own tables do.
    #[expect(unsafe_code, reason = "calls C")]
    unsafe {
        let open = |name: &str| Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL);
        let flite = open("libflite.so.1")?;
        let english = open("libflite_usenglish.so.1")?;
        let lexicon = open("libflite_cmulex.so.1")?;
        let voices = open(voice)?;

        let init: Symbol<unsafe extern "C" fn() -> c_int> = flite.get(c"flite_init")?;
        init();
        let register: Symbol<unsafe extern "C" fn(*const c_char) -> *mut c_void> =
            voices.get(register.as_c_str())?;
        let raw = NonNull::new(register(ptr::null())).expect("a compiled-in voice is always there");

        let new_streaming: Symbol<unsafe extern "C" fn() -> *mut Streaming> =
            flite.get(c"new_audio_streaming_info")?;
        let as_value: Symbol<unsafe extern "C" fn(*mut Streaming) -> *mut c_void> =
            flite.get(c"audio_streaming_info_val")?;
        let set: Symbol<unsafe extern "C" fn(*mut c_void, *const c_char, *mut c_void)> =
            flite.get(c"flite_feat_set")?;
        let streaming = new_streaming();
        (*streaming).min_buffsize = PIECE_SAMPLES;
        (*streaming).callback = Some(on_piece);
        // The features keep a pointer to the name.
        set(
            (*raw.cast::<Head>().as_ptr()).features,
            c"streaming_info".as_ptr(),
            as_value(streaming),
        );

        Ok(Voice {
            raw,
            text_to_wave: *flite.get(c"flite_text_to_wave")?,
            delete_wave: *flite.get(c"delete_wave")?,
            _libraries: [flite, english, lexicon, voices],
        })
    }
}
