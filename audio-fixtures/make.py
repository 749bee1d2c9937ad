#!/usr/bin/env python3
"""Makes the synthetic candidates of this folder from texts.toml, with Flite's library (Debian: libflite1).

    python3 make.py [NAME ...]

Writes <name>.wav (16 kHz, mono) and <name>.toml (its truth: where speech begins and ends, and its words).
Flite's samples differ from run to run, their number does not: the truth stays the same.
"""

import array
import ctypes
import pathlib
import random
import sys
import tomllib
import wave

RATE = 16_000
MS = RATE // 1_000
GAP_MS = 500  # before, between and after the answers
LIMIT_S = 45
SPEECH_RMS = 100  # -50 dB: louder windows of 10 ms are speech


class Wave(ctypes.Structure):
    """cst_wave"""

    _fields_ = [
        ("type", ctypes.c_char_p),
        ("sample_rate", ctypes.c_int),
        ("num_samples", ctypes.c_int),
        ("num_channels", ctypes.c_int),
        ("samples", ctypes.POINTER(ctypes.c_short)),
    ]


def open_flite():
    """Opens the library with what its voices need."""
    try:
        libraries = [
            ctypes.CDLL(f"lib{name}.so.1", mode=ctypes.RTLD_GLOBAL)
            for name in ("flite", "flite_usenglish", "flite_cmulex")
        ]
    except OSError as error:
        sys.exit(f"Flite cannot be loaded ({error}): install it with: apt-get install libflite1")
    flite = libraries[0]
    flite.flite_init()
    flite.flite_text_to_wave.restype = ctypes.POINTER(Wave)
    flite.flite_text_to_wave.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    flite.delete_wave.argtypes = [ctypes.POINTER(Wave)]
    return flite


def open_voice(name):
    """Opens a voice: rms or awb."""
    library = ctypes.CDLL(f"libflite_cmu_us_{name}.so.1", mode=ctypes.RTLD_GLOBAL)
    register = getattr(library, f"register_cmu_us_{name}")
    register.restype = ctypes.c_void_p
    register.argtypes = [ctypes.c_char_p]
    return register(None)


def speak(flite, voice, text):
    """Speaks a phrase; without the silence around it."""
    made = flite.flite_text_to_wave(text.encode(), voice)
    assert made.contents.sample_rate == RATE, made.contents.sample_rate
    samples = made.contents.samples[: made.contents.num_samples]
    flite.delete_wave(made)
    size = 10 * MS
    loud = [
        at
        for at in range(0, len(samples), size)
        if sum(s * s for s in samples[at : at + size]) > size * SPEECH_RMS**2
    ]
    return samples[loud[0] : loud[-1] + size]


def silence(ms, rng):
    """A quiet room: noise of one bit."""
    return [rng.choice((-1, 0, 1)) for _ in range(ms * MS)]


def make(flite, name, script):
    """Makes one fixture; returns its samples and its truth."""
    rng = random.Random(name)
    voice = open_voice(script["voice"])
    samples = silence(GAP_MS, rng)
    truth = [f'voice = "{script["voice"]}"', f'note = "{script["note"]}"']
    for answer in script.get("answer", []):
        truth += ["", "[[answer]]"]
        if "over_ms" in answer:
            truth.append(f"over_ms = {answer['over_ms']}")
        for n, phrase in enumerate(answer["say"]):
            if n:
                samples += silence(answer["pauses_ms"][n - 1], rng)
            start = len(samples) // MS
            samples += speak(flite, voice, phrase)
            truth += ["", "[[answer.span]]", f"start_ms = {start}", f"end_ms = {len(samples) // MS}"]
            truth.append(f'text = "{phrase}"')
        samples += silence(GAP_MS, rng)
    samples += silence(script.get("silence_ms", 0), rng)
    assert len(samples) <= LIMIT_S * RATE, f"{name}: {len(samples) / RATE:.1f} s"
    return samples, "\n".join(truth) + "\n"


def main():
    """Makes the fixtures named, or all."""
    folder = pathlib.Path(__file__).parent
    scripts = tomllib.loads((folder / "texts.toml").read_text())
    flite = open_flite()
    for name in sys.argv[1:] or scripts:
        samples, truth = make(flite, name, scripts[name])
        with wave.open(str(folder / f"{name}.wav"), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(array.array("h", samples).tobytes())
        (folder / f"{name}.toml").write_text(truth)
        print(f"{name}: {len(samples) / RATE:.1f} s")


if __name__ == "__main__":
    main()
