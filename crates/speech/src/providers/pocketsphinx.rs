//! The C library PocketSphinx 5prealpha, as Debian ships it, opened at run time.
//!
//! This file only calls the C functions; `stt_pocketsphinx` decides what is decoded when.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr::{self, NonNull},
    sync::OnceLock,
};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use super::{ProviderError, Retry};

/// The folder in which Debian's package installs the model.
pub const MODEL: &str = "/usr/share/pocketsphinx/model/en-us";
/// The Debian packages that the recogniser needs.
const PACKAGES: &str = "libpocketsphinx3 pocketsphinx-en-us";
/// The settings of the C library: one pass and its lattice, so that the final text is there when speech
/// ends. The second pass (`fwdflat`) costs 80 ms for a second of speech and improves nothing.
///
/// The cepstral mean begins at the model's own value and then follows the speaker.
#[rustfmt::skip]
const SETTINGS: &[&str] = &[
    "-cmn", "live",
    "-cmninit", "41.00,-5.29,-0.12,5.09,2.48,-4.07,-1.37,-1.78,-5.08,-2.05,-6.45,-1.42,1.17",
    "-fwdflat", "no",
    "-maxhmmpf", "5000",
];

/// A decoder. It must stay on the thread that made it.
pub(super) struct Decoder {
    c: &'static Functions,
    raw: NonNull<c_void>,
    config: NonNull<c_void>,
    /// The configuration points into these.
    _arguments: Vec<CString>,
}

/// The C functions, and the libraries that keep them loaded.
struct Functions {
    args: unsafe extern "C" fn() -> *const c_void,
    parse: unsafe extern "C" fn(
        *mut c_void,
        *const c_void,
        c_int,
        *const *const c_char,
        c_int,
    ) -> *mut c_void,
    free_config: unsafe extern "C" fn(*mut c_void) -> c_int,
    init: unsafe extern "C" fn(*mut c_void) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void) -> c_int,
    start: unsafe extern "C" fn(*mut c_void) -> c_int,
    end: unsafe extern "C" fn(*mut c_void) -> c_int,
    process: unsafe extern "C" fn(*mut c_void, *const i16, usize, c_int, c_int) -> c_int,
    hypothesis: unsafe extern "C" fn(*mut c_void, *mut i32) -> *const c_char,
    set_log: unsafe extern "C" fn(*mut c_void),
    _libraries: [Library; 2],
}

impl Decoder {
    /// Returns a new decoder. Takes 0.2–0.3 s and about 100 MB.
    pub(super) fn new(model: &Path) -> Result<Self, ProviderError> {
        let c = functions()?;
        let arguments = arguments(model)?;
        let argv: Vec<*const c_char> = arguments.iter().map(|a| a.as_ptr()).collect();
        let argc = c_int::try_from(argv.len()).expect("a handful of arguments");
        // SAFETY: the signatures are those of the headers; `argv` holds `argc` strings ended by NUL, which
        // live as long as the configuration. Both calls give an owned pointer or null.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            // Without this it writes its whole configuration to stderr. The setting is one of the thread.
            (c.set_log)(ptr::null_mut());
            let config = (c.parse)(ptr::null_mut(), (c.args)(), argc, argv.as_ptr(), 1);
            let config = NonNull::new(config).ok_or_else(|| refused(model))?;
            let Some(raw) = NonNull::new((c.init)(config.as_ptr())) else {
                (c.free_config)(config.as_ptr());
                return Err(refused(model));
            };
            Ok(Self { c, raw, config, _arguments: arguments })
        }
    }

    /// Begins an utterance.
    pub(super) fn start(&mut self) {
        // SAFETY: `raw` is a decoder of this library. A wrong order of calls is an error code, not a fault.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            (self.c.start)(self.raw.as_ptr());
        }
    }

    /// Decodes the next sound of the utterance.
    pub(super) fn process(&mut self, sound: &[i16]) {
        // SAFETY: as in `start`; the samples are read during the call and not kept.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            (self.c.process)(self.raw.as_ptr(), sound.as_ptr(), sound.len(), 0, 0);
        }
    }

    /// Ends the utterance; [`Decoder::hypothesis`] is final then.
    pub(super) fn end(&mut self) {
        // SAFETY: as in `start`.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            (self.c.end)(self.raw.as_ptr());
        }
    }

    /// Returns the words of the utterance so far; may be empty.
    pub(super) fn hypothesis(&mut self) -> String {
        let mut score = 0;
        // SAFETY: as in `start`; the string is null or ended by NUL, belongs to the decoder and lives until
        // its next call, which cannot come before the copy is made.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            let text = (self.c.hypothesis)(self.raw.as_ptr(), &raw mut score);
            if text.is_null() {
                return String::new();
            }
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        // SAFETY: both pointers are owned and not used again; the decoder counts its own reference to the
        // configuration, so the order does not matter.
        #[expect(unsafe_code, reason = "calls C")]
        unsafe {
            (self.c.free)(self.raw.as_ptr());
            (self.c.free_config)(self.config.as_ptr());
        }
    }
}

/// The files of a model, each with the option that takes it.
const MODEL_FILES: [(&str, &str); 3] =
    [("-hmm", "en-us"), ("-lm", "en-us.lm.bin"), ("-dict", "cmudict-en-us.dict")];

/// Checks that a folder has the whole model. The error is one sentence.
pub fn model_is_there(model: &Path) -> Result<(), ProviderError> {
    let mut paths = MODEL_FILES.iter().map(|(_, file)| model.join(file));
    let Some(missing) = paths.find(|path| !path.exists()) else { return Ok(()) };
    let what = format!(
        "the speech model {} is missing: install it with: apt-get install pocketsphinx-en-us",
        missing.display()
    );
    Err(ProviderError { what, retry: Retry::Never })
}

fn arguments(model: &Path) -> Result<Vec<CString>, ProviderError> {
    model_is_there(model)?;
    let mut arguments = vec![c"vivavoce".to_owned()];
    for (option, file) in MODEL_FILES {
        let path = model.join(file);
        arguments.push(CString::new(option).expect("a literal"));
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|_| refused(model))?;
        arguments.push(path);
    }
    arguments.extend(SETTINGS.iter().map(|s| CString::new(*s).expect("a literal")));
    Ok(arguments)
}

fn refused(model: &Path) -> ProviderError {
    let what = format!(
        "PocketSphinx cannot read its model in {}: install it anew with: apt-get install \
            --reinstall pocketsphinx-en-us",
        model.display()
    );
    ProviderError { what, retry: Retry::Never }
}

/// Returns the library's functions. It is opened once per process.
fn functions() -> Result<&'static Functions, ProviderError> {
    static FUNCTIONS: OnceLock<Result<Functions, ProviderError>> = OnceLock::new();
    let open = || {
        load().map_err(|error| ProviderError {
            what: format!(
                "the recogniser PocketSphinx cannot be loaded ({error}): install it with: apt-get \
                    install {PACKAGES}"
            ),
            retry: Retry::Never,
        })
    };
    FUNCTIONS.get_or_init(open).as_ref().map_err(Clone::clone)
}

fn load() -> Result<Functions, libloading::Error> {
    // SAFETY: the libraries' initialisers do nothing but set up their own state. Names and types are those
    // of pocketsphinx.h, cmd_ln.h and err.h of the version in the file's name. The functions outlive no
    // library: all are kept together, for ever.
    #[expect(unsafe_code, reason = "calls C")]
    unsafe {
        let base = Library::open(Some("libsphinxbase.so.3"), RTLD_NOW | RTLD_GLOBAL)?;
        let sphinx = Library::open(Some("libpocketsphinx.so.3"), RTLD_NOW)?;
        // Without this the library writes its messages to stderr.
        let quiet: libloading::os::unix::Symbol<unsafe extern "C" fn(*const c_void, *mut c_void)> =
            base.get(c"err_set_callback")?;
        quiet(ptr::null(), ptr::null_mut());
        Ok(Functions {
            args: *sphinx.get(c"ps_args")?,
            parse: *base.get(c"cmd_ln_parse_r")?,
            free_config: *base.get(c"cmd_ln_free_r")?,
            init: *sphinx.get(c"ps_init")?,
            free: *sphinx.get(c"ps_free")?,
            start: *sphinx.get(c"ps_start_utt")?,
            end: *sphinx.get(c"ps_end_utt")?,
            process: *sphinx.get(c"ps_process_raw")?,
            hypothesis: *sphinx.get(c"ps_get_hyp")?,
            set_log: *base.get(c"err_set_logfp")?,
            _libraries: [base, sphinx],
        })
    }
}
