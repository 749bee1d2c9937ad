"""LiveKit Agents for Python as a peer of `make bench BENCH="--peers"`: the rules that all are measured with.

Voice activity ends a turn after 300 ms, 200 ms of voice interrupt, nothing is begun ahead. STUBS is the address of the providers.
"""

import os

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, cli, inference
from livekit.plugins import deepgram, openai

STUBS = os.environ["STUBS"]
WAIT = 0.3
GREETING = "Hello, nice to meet you. What did you build last year?"

# A server gives a worker that says it is busy no job, and on a small machine all are busy.
server = AgentServer(port=int(os.environ["HTTP_PORT"]), num_idle_processes=1, load_fnc=lambda *_: 0.0)


@server.rtc_session(agent_name=os.environ["AGENT_NAME"])
async def interview(context: JobContext) -> None:
    session = AgentSession(
        stt=deepgram.STT(base_url=f"http://{STUBS}/v1/listen", api_key="bench"),
        llm=openai.LLM(model="bench", base_url=f"http://{STUBS}/v1", api_key="bench"),
        tts=openai.TTS(model="bench", voice="alloy", base_url=f"http://{STUBS}/v1", api_key="bench", response_format="pcm"),
        vad=inference.VAD(model="silero", min_silence_duration=0.25),
        turn_handling={
            "turn_detection": "vad",
            "endpointing": {"mode": "fixed", "min_delay": WAIT, "max_delay": WAIT},
            "interruption": {"mode": "vad", "min_duration": 0.2, "resume_false_interruption": False},
            "preemptive_generation": {"enabled": False, "preemptive_tts": False},
        },
        aec_warmup_duration=None,
    )
    await session.start(Agent(instructions="You are an interviewer."), room=context.room)
    session.say(GREETING)


if __name__ == "__main__":
    cli.run_app(server)
