"""Pipecat as a peer of `make bench BENCH="--peers"`: the rules that all are measured with.

It has no worker: this is one process for the room that it is told. STUBS is the address of the providers.
"""

import asyncio
import os
import sys

from livekit import api
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.frames.frames import TTSSpeakFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.livekit.transport import LiveKitParams, LiveKitTransport
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

STUBS = os.environ["STUBS"]
WAIT = 0.3
GREETING = "Hello, nice to meet you. What did you build last year?"


async def main(room: str) -> None:
    keys = api.AccessToken(os.environ["LIVEKIT_API_KEY"], os.environ["LIVEKIT_API_SECRET"])
    grants = api.VideoGrants(room_join=True, room=room, agent=True)
    token = keys.with_identity("agent").with_kind("agent").with_grants(grants).to_jwt()
    params = LiveKitParams(audio_in_enabled=True, audio_out_enabled=True)
    transport = LiveKitTransport(os.environ["LIVEKIT_URL"], token, room, params)
    stt = DeepgramSTTService(api_key="bench", base_url=f"ws://{STUBS}", ttfs_p99_latency=0.2)
    llm = OpenAILLMService(
        api_key="bench", base_url=f"http://{STUBS}/v1", settings=OpenAILLMService.Settings(model="bench")
    )
    tts = OpenAITTSService(
        api_key="bench", base_url=f"http://{STUBS}/v1", settings=OpenAITTSService.Settings(voice="alloy", model="tts-1")
    )
    context = LLMContext([{"role": "system", "content": "You are an interviewer."}])
    stop = SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.0)
    user = LLMUserAggregatorParams(
        vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=WAIT, start_secs=0.2)),
        user_turn_strategies=UserTurnStrategies(stop=[stop]),
    )
    pair = LLMContextAggregatorPair(context, user_params=user)
    stages = [transport.input(), stt, pair.user(), llm, tts, transport.output(), pair.assistant()]
    worker = PipelineWorker(Pipeline(stages), params=PipelineParams(enable_metrics=False))

    @transport.event_handler("on_first_participant_joined")
    async def greet(*_) -> None:
        await worker.queue_frames([TTSSpeakFrame(GREETING)])

    @transport.event_handler("on_participant_left")
    async def leave(*_) -> None:
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


asyncio.run(main(sys.argv[1]))
