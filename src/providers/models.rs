//! Models that are no part of us: where each comes from, and whether a file is the one that it should be.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use sha2::{Digest, Sha256};

use super::{ProviderError, Retry};

/// A model that whoever runs us fetches, once.
#[derive(Clone, Copy, Debug)]
pub struct ModelFile {
    /// What it is, with its version.
    pub name: &'static str,
    /// The setting that names the file.
    pub setting: &'static str,
    /// What a build without the feature `onnx` says: what it lacks, and what to set where none is wanted.
    pub left_out: &'static str,
    /// Where it is fetched.
    pub url: &'static str,
    /// Under which licence.
    pub license: &'static str,
    /// How long it is.
    pub bytes: u64,
    /// Of the whole file, in hex.
    pub sha256: &'static str,
}

/// The detector of voice of Silero, the network for 16 kHz alone.
pub const SILERO: ModelFile = ModelFile {
    name: "Silero VAD 6.2",
    setting: "speech.silero_model",
    left_out: "this Vivavoce was built without the detector `silero`: build it with make run FEATURES=onnx or cargo build --release --features onnx, or set speech.vad to earshot or webrtc",
    url: "https://github.com/snakers4/silero-vad/raw/v6.2.1/src/silero_vad/data/silero_vad_16k_op15.onnx",
    license: "MIT",
    bytes: 1_289_603,
    sha256: "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49",
};

/// Smart Turn, which hears whether somebody has finished: the one for CPUs.
pub const SMART_TURN: ModelFile = ModelFile {
    name: "Smart Turn 3.2",
    setting: "speech.turn_model",
    left_out: "this Vivavoce was built without Smart Turn: build it with make run FEATURES=onnx or cargo build --release --features onnx, or leave speech.turn_model empty",
    url: "https://huggingface.co/pipecat-ai/smart-turn-v3/resolve/f766f81d3cfdf7737ac64aad813d91bbfd56bf93/smart-turn-v3.2-cpu.onnx",
    license: "BSD-2-Clause",
    bytes: 8_679_182,
    sha256: "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
};

impl ModelFile {
    /// What is in `file`, if that is this model; else one sentence.
    pub fn read(&self, file: Option<&Path>) -> Result<Vec<u8>, ProviderError> {
        self.wanted(file).map_err(|what| ProviderError { what, retry: Retry::Never })
    }

    fn wanted(&self, file: Option<&Path>) -> Result<Vec<u8>, String> {
        let Self { name, setting, url, bytes, sha256, .. } = self;
        let Some(file) = file else {
            return Err(format!(
                "`{setting}` names no file: fetch {name} from {url} and name it there"
            ));
        };
        let this = format!("{} ({setting})", file.display());
        let (length, read) = read_at_most(file, *bytes).map_err(|error| {
            format!("cannot read {this}: {error}; fetch {name} from {url}, or set the right path")
        })?;
        if length != *bytes {
            return Err(format!(
                "{this} is not {name}: it has {length} bytes, {name} has {bytes}; fetch that from {url}"
            ));
        }
        if hex(&Sha256::digest(&read)) != *sha256 {
            return Err(format!(
                "{this} is not {name}, whose sha256 is {sha256}: fetch that from {url}"
            ));
        }
        Ok(read)
    }
}

/// How long a file is, and its beginning. A model is a plain file: nothing else is opened, as a pipe would never end.
fn read_at_most(file: &Path, bytes: u64) -> io::Result<(u64, Vec<u8>)> {
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut read = Vec::new();
    File::open(file)?.take(bytes).read_to_end(&mut read)?;
    Ok((about.len(), read))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// P07: a file is the model, or there is one sentence with the setting, the fault and where to fetch it.
    #[test]
    fn a_file_is_the_model_or_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("m.onnx");
        let content = b"a network";
        let sha256: &'static str = hex(&Sha256::digest(content)).leak();
        let model = ModelFile { bytes: content.len() as u64, sha256, ..SILERO };
        let told = |file: Option<&Path>| model.read(file).unwrap_err().what;

        assert!(told(None).starts_with("`speech.silero_model` names no file: fetch "));
        assert!(told(Some(&file)).contains("No such file"), "{}", told(Some(&file)));
        assert!(told(Some(folder.path())).contains("it is no file"));
        for (wrong, expected) in [
            (&b"a net"[..], "is not Silero VAD 6.2: it has 5 bytes, Silero VAD 6.2 has 9; fetch "),
            (b"", "is not Silero VAD 6.2: it has 0 bytes, Silero VAD 6.2 has 9; fetch "),
            (b"A network", "is not Silero VAD 6.2, whose sha256 is "),
            (b"a network and more", "it has 18 bytes, Silero VAD 6.2 has 9; fetch "),
        ] {
            fs::write(&file, wrong).unwrap();
            let told = told(Some(&file));
            let place = format!("{} (speech.silero_model) ", file.display());
            assert!(told.starts_with(&place) && told.contains(expected), "{told}");
            assert!(told.ends_with(SILERO.url) && !told.contains('\n'), "{told}");
        }
        fs::write(&file, content).unwrap();
        assert_eq!(model.read(Some(&file)).unwrap(), content);
    }
}
