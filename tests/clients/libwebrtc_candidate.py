#!/usr/bin/env python3
"""A candidate who is not ours: LiveKit's own client (Python package `livekit`, libwebrtc inside).

Joins a room, plays a WAV in real time, records the agent, collects captions and attributes, and prints
one JSON object when the time is over or the agent has left:

    libwebrtc_candidate.py --url ws://127.0.0.1:7880 --token JWT --play answer.wav --record agent.wav

A machine with nothing but a loopback interface needs a network namespace with another one: libwebrtc
gathers no loopback addresses.
"""

import argparse
import asyncio
import json
import time
import wave

from livekit import rtc

RATE = 48_000
FRAME = RATE // 100  # 10 ms, what libwebrtc works with


def read_wav(path):
    """The samples of a mono 16-bit WAV, and its rate."""
    with wave.open(path, "rb") as wav:
        if wav.getnchannels() != 1 or wav.getsampwidth() != 2:
            raise SystemExit(f"{path} is not 16-bit mono")
        return wav.readframes(wav.getnframes()), wav.getframerate()


class Candidate:
    """What happens in the room, as this candidate sees it."""

    def __init__(self, args):
        self.args = args
        self.began = time.monotonic()
        self.room = rtc.Room()
        self.texts, self.states, self.stages, self.attributes, self.data = [], [], [], {}, []
        self.agent_track = asyncio.Event()
        self.agent_left = False
        self.over = asyncio.Event()
        self.heard = bytearray()
        self.tasks = set()

    def at(self):
        return round(time.monotonic() - self.began, 3)

    def start(self, coroutine):
        task = asyncio.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def run(self):
        self.listen()
        await self.room.connect(self.args.url, self.args.token, rtc.RoomOptions(auto_subscribe=True))
        for participant in self.room.remote_participants.values():
            self.note_attributes(participant)
        source = rtc.AudioSource(RATE, 1)
        track = rtc.LocalAudioTrack.create_audio_track("microphone", source)
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
        await self.room.local_participant.publish_track(track, options)
        self.start(self.play(source))
        if self.args.share:
            self.start(self.share())
        try:
            await asyncio.wait_for(self.over.wait(), self.args.seconds)
        except asyncio.TimeoutError:
            pass
        # What was said last may come after whoever said it has left.
        while len(self.texts) < self.args.texts and self.at() < self.args.seconds:
            await asyncio.sleep(0.05)
        await self.room.disconnect()
        self.write_recording()
        return self.report()

    def listen(self):
        room = self.room

        @room.on("track_subscribed")
        def on_track(track, publication, participant):
            if track.kind == rtc.TrackKind.KIND_AUDIO:
                self.agent_track.set()
                self.start(self.record(rtc.AudioStream(track, sample_rate=RATE, num_channels=1)))

        @room.on("participant_attributes_changed")
        def on_attributes(changed, participant):
            self.note_attributes(participant)

        @room.on("participant_connected")
        def on_joined(participant):
            self.note_attributes(participant)

        @room.on("participant_disconnected")
        def on_left(participant):
            if participant.kind == rtc.ParticipantKind.PARTICIPANT_KIND_AGENT:
                self.agent_left = True
                self.over.set()

        @room.on("disconnected")
        def on_disconnected(*reason):
            self.over.set()

        @room.on("data_received")
        def on_data(packet):
            self.data.append({"at": self.at(), "topic": packet.topic, "text": packet.data.decode(errors="replace")})

        room.register_text_stream_handler(
            "lk.transcription", lambda reader, identity: self.start(self.read(reader, identity))
        )

    def note_attributes(self, participant):
        attributes = dict(participant.attributes)
        self.attributes[participant.identity] = attributes
        state = attributes.get("lk.agent.state")
        if state and (not self.states or self.states[-1]["state"] != state):
            self.states.append({"at": self.at(), "state": state})
        stage = attributes.get("vivavoce.stage")
        if stage and self.stages[-1:] != [stage]:
            self.stages.append(stage)

    async def read(self, reader, identity):
        began = self.at()
        pieces = [piece async for piece in reader]
        self.texts.append({
            "from": identity,
            "began": began,
            "ended": self.at(),
            "text": "".join(pieces),
            "pieces": len(pieces),
            "attributes": dict(reader.info.attributes or {}),
        })

    async def record(self, stream):
        async for event in stream:
            self.heard += bytes(event.frame.data)

    async def play(self, source):
        """Silence until the agent is there, then the recording (again and again if asked), then silence."""
        await self.agent_track.wait()
        await asyncio.sleep(self.args.wait)
        for path in self.args.answers or []:
            await self.be_asked(source)
            await self.play_file(source, path)
        for what in self.args.acts or []:
            verb, _, words = what.partition(":")
            # Nothing is asked during a pause.
            if what != "press:resume":
                await self.be_asked(source)
            if verb == "type":
                await self.room.local_participant.send_text(words, topic="lk.chat")
            elif verb == "keys":
                for key in words:
                    await self.room.local_participant.publish_dtmf(code=int(key), digit=key)
            else:
                await self.press(source, words)
        if self.args.play:
            while True:
                await self.play_file(source, self.args.play)
                if not self.args.repeat:
                    break
        while True:
            await self.be_silent(source)

    async def share(self):
        """A second track beside the microphone for two seconds, and a word after it."""
        await self.agent_track.wait()
        local = self.room.local_participant
        source = rtc.AudioSource(RATE, 1)
        track = rtc.LocalAudioTrack.create_audio_track("shared", source)
        kind = rtc.TrackSource.Value(self.args.share)
        await local.publish_track(track, rtc.TrackPublishOptions(source=kind))
        for _ in range(200):
            await self.be_silent(source)
        await local.unpublish_track(track.sid)
        await local.send_text("shared", topic="lk.chat")

    async def be_asked(self, source):
        """Silence until the agent has said something and then listened for a moment."""
        before = len(self.states)
        while True:
            await self.be_silent(source)
            new = [seen["state"] for seen in self.states[max(0, before - 1) :]]
            if "speaking" in new and new[-1] == "listening" and self.at() - self.states[-1]["at"] > 0.4:
                return

    async def press(self, source, button):
        """Presses a button and waits, silent, until it is answered."""
        message = json.dumps({"id": button, "request": button})
        answers = len(self.data)
        await self.room.local_participant.publish_data(message, topic="vivavoce.control")
        while len(self.data) == answers:
            await self.be_silent(source)

    async def be_silent(self, source):
        await source.capture_frame(rtc.AudioFrame(bytes(2 * FRAME), RATE, 1, FRAME))

    async def play_file(self, source, path):
        pcm, rate = read_wav(path)
        resampler = rtc.AudioResampler(rate, RATE) if rate != RATE else None
        await self.play_pcm(source, pcm, rate, resampler)

    async def play_pcm(self, source, pcm, rate, resampler):
        step = 2 * (rate // 100)
        for start in range(0, len(pcm) - step + 1, step):
            frame = rtc.AudioFrame(pcm[start : start + step], rate, 1, step // 2)
            for out in resampler.push(frame) if resampler else [frame]:
                await source.capture_frame(out)

    def write_recording(self):
        if self.args.record:
            with wave.open(self.args.record, "wb") as wav:
                wav.setnchannels(1)
                wav.setsampwidth(2)
                wav.setframerate(RATE)
                wav.writeframes(bytes(self.heard))

    def report(self):
        samples = memoryview(bytes(self.heard)).cast("h")
        loud = sum(1 for n in range(0, len(samples), 480) if abs(samples[n]) > 100)
        return {
            "seconds": self.at(),
            "heard_seconds": round(len(samples) / RATE, 2),
            "loud_share": round(loud / max(1, len(samples) // 480), 3),
            "agent_left": self.agent_left,
            "states": self.states,
            "stages": self.stages,
            "attributes": self.attributes,
            "texts": self.texts,
            "data": self.data,
        }


async def candidate(args):
    """A room has to be made on the loop that serves it."""
    return await Candidate(args).run()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--play", help="16-bit mono WAV, any usual rate")
    parser.add_argument("--answers", nargs="*", help="WAVs like that, each played when the agent listens")
    parser.add_argument("--acts", nargs="*", help="type:WORDS, press:BUTTON or keys:DIGITS of a phone, each when the agent listens")
    parser.add_argument("--share", help="the source of a second track, SOURCE_SCREENSHARE_AUDIO or another")
    parser.add_argument("--repeat", action="store_true", help="play it again and again")
    parser.add_argument("--wait", type=float, default=0.5, help="seconds of silence after the agent has come")
    parser.add_argument("--record", help="where to write what the agent says, 48 kHz mono")
    parser.add_argument("--texts", type=int, default=0, help="how many texts to wait for when the agent has left")
    parser.add_argument("--seconds", type=float, default=60, help="how long to stay at most")
    args = parser.parse_args()
    print(json.dumps(asyncio.run(candidate(args)), ensure_ascii=False))


if __name__ == "__main__":
    main()
