import { useAudioPlayback, useLocalParticipant, useTranscriptions, useVoiceAssistant } from '@livekit/components-react';
import { LocalAudioTrack, RemoteAudioTrack } from 'livekit-client';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Candidate } from '../../api/client';
import { t } from '../../texts';
import { Frame } from '../../ui/Frame';
import { Notice } from '../../ui/Notice';
import { Captions } from './Captions';
import { ContactCard } from './ContactCard';
import { captionsOf, joinedUp, questionOf, repliesOf } from './captions';
import { Dock } from './Dock';
import { EndDialog, LostDialog, TakenDialog } from './dialogs';
import { MicrophoneLost } from './MicrophoneLost';
import { Stages } from './Stages';
import { saidNext } from './says';
import { type Facts, type Situation, situation as situationOf, wordsOf } from './situation';
import { withTyped } from './typed';
import type { Call } from './useCall';
import { useContactForm } from './useContactForm';
import { useEarlier } from './useEarlier';
import { useEnding } from './useEnding';
import { useGoodbye } from './useGoodbye';
import { useInterviewer } from './useInterviewer';
import { useMutedTalk } from './useMutedTalk';
import { useTyped } from './useTyped';
import { VoiceLine } from './VoiceLine';

const LONG_MS: Partial<Record<Situation, readonly [number, string]>> = {
  connecting: [8000, t('room.longConnecting')],
  thinking: [4000, t('room.longThinking')],
};

interface InterviewProps {
  token: string;
  candidate: Candidate;
  call: Call;
  onOver: () => void;
  onLater: () => void;
}

/** What is shown and pressed in the room. */
export function Interview({ token, candidate, call, onOver, onLater }: InterviewProps) {
  const { agent, state, audioTrack, agentAttributes } = useVoiceAssistant();
  const { isMicrophoneEnabled, localParticipant, microphoneTrack } = useLocalParticipant();
  const heard = useTranscriptions();
  const { room, line, rejoins } = call;
  const typing = useTyped({ room, line, rejoins, agent, streams: heard.length });
  const ending = useEnding(call.room, agent, onOver);
  const [muted, setMuted] = useState(false);
  const microphone = microphoneTrack?.track instanceof LocalAudioTrack ? microphoneTrack.track : undefined;
  const mutedHint = useMutedTalk(call.room, agent, muted ? microphone : undefined);
  const voice = audioTrack?.publication.track instanceof RemoteAudioTrack ? audioTrack.publication.track : undefined;
  const begun = candidate.state === 'in_progress';
  const joined = call.line.kind === 'joined';
  const { presence, isAway } = useInterviewer({ token, joined, begun, agent, track: voice });
  useGoodbye(token, isAway, onOver);
  useShiftE(ending.ask);

  const earlier = useEarlier(token, begun || rejoins > 0, rejoins);
  const { identity } = localParticipant;
  const { answers } = typing.typed;
  const streams = useMemo(
    () => withTyped(answers, { earlier, streams: heard, candidate: identity, rejoins }),
    [answers, earlier, heard, identity, rejoins],
  );
  const captions = useMemo(() => joinedUp(earlier, captionsOf(streams, identity)), [earlier, streams, identity]);
  const stage = useLast(agentAttributes?.['vivavoce.stage']);
  const stageOf = useStageOf(repliesOf(streams, identity), stage);
  const phase = useLast(agentAttributes?.['vivavoce.phase']);
  const filling = useContactForm({ room, line, agent, fields: candidate.form, phase, say: typing.say });
  const agentState = useLast(agent ? state : undefined);
  // For good: a line that is cut takes the captions along until they are read again.
  const hasBegun = useLast(begun || captions.length > 0 || undefined) ?? false;
  const facts: Facts = {
    line: call.line,
    ending: ending.ending,
    microphone: call.microphoneLost ? 'lost' : muted ? 'muted' : 'on',
    interviewer: presence,
    agent: agentState,
    begun: hasBegun,
  };
  const situation = situationOf(facts);
  // While it asks whether to end, the interview goes on behind the dialog.
  const behind = situation === 'end-asked' ? situationOf({ ...facts, ending: 'no' }) : situation;
  const question = questionOf({ earlier, streams, candidate: identity, stageOf, speaking: agentState === 'speaking' });
  const stageTitle = candidate.stages.find(({ id }) => id === stage)?.title;

  function mute(on: boolean) {
    setMuted(on);
    call.setMuted(on);
  }

  return (
    <Frame
      title={t('room.title')}
      about={candidate.role}
      page="room"
      tools={<Connection situation={situation} />}
      dock={
        <Dock
          muted={muted}
          level={isMicrophoneEnabled ? microphone : undefined}
          onMute={mute}
          typing={typing}
          interviewer={candidate.interviewer}
          onEnd={ending.ask}
          isEnding={situation === 'ending'}
          trouble={ending.trouble}
        />
      }
    >
      <h1 className="sr">{t('room.heading', { interviewer: candidate.interviewer })}</h1>
      <Says
        situation={behind}
        stageTitle={stageTitle}
        taken={answers.filter(({ state }) => state === 'taken').length}
        hasForm={filling.fields.length > 0}
        filled={Object.keys(filling.form.taken).length}
      />
      <Stages stages={candidate.stages} current={stage} progress={agentAttributes?.['vivavoce.progress']} />
      <div className="stage">
        <div className="talk">
          <section className="presence" aria-label={t('room.now')}>
            <VoiceLine situation={behind} interviewer={voice} candidate={microphone} />
            <Presence situation={behind} interviewer={candidate.interviewer} begun={facts.begun} />
          </section>
          {question && (
            <section className="asked" aria-labelledby="asked-h">
              <h2 id="asked-h">{t('room.question')}</h2>
              <p className="voice">{question}</p>
            </section>
          )}
          <ContactCard filling={filling} all={candidate.form} interviewer={candidate.interviewer} />
          <SoundBlocked />
          {mutedHint && (
            <Notice kind="warn" icon="mic-off" heading={t('room.mutedHint')} told="now">
              <p>{t(mutedHint === 'talking' ? 'room.mutedTalking' : 'room.mutedLong')}</p>
            </Notice>
          )}
          {situation === 'no-microphone' && <MicrophoneLost onChoose={call.chooseMicrophone} />}
        </div>
        <Captions captions={captions} interviewer={candidate.interviewer} />
      </div>
      {situation === 'end-asked' && <EndDialog onCarryOn={ending.carryOn} onEnd={ending.end} />}
      {situation === 'lost' && <LostDialog tries={call.tries} onNow={call.joinNow} onLater={onLater} />}
      {situation === 'second-tab' && <TakenDialog onTake={call.joinNow} />}
    </Frame>
  );
}

function Connection({ situation }: { situation: Situation }) {
  if (situation === 'lost') return <span className="status warn push">{t('room.noConnection')}</span>;
  return null;
}

interface PresenceProps {
  situation: Situation;
  interviewer: string;
  /** Whether the interviewer was there before. */
  begun: boolean;
}

/** The word and its sentence; a state that lasts gets a second sentence. */
function Presence({ situation, interviewer, begun }: PresenceProps) {
  const [lasts, setLasts] = useState(false);
  const long = LONG_MS[situation];
  useEffect(() => {
    setLasts(false);
    if (!long) return;
    const timer = window.setTimeout(() => setLasts(true), long[0]);
    return () => window.clearTimeout(timer);
  }, [long]);
  const [word, sentence] = wordsOf(situation, interviewer, begun);
  return (
    <div data-situation={situation}>
      <p className="word">{word}</p>
      <p className="soft">{lasts && long ? long[1] : sentence}</p>
    </div>
  );
}

const SAID: Partial<Record<Situation, string>> = {
  listening: t('says.yourTurn'),
  'in-line': t('says.inLine'),
  trouble: t('says.trouble'),
  ending: t('says.ending'),
};

interface SaysProps {
  situation: Situation;
  stageTitle: string | undefined;
  /** How many typed answers the interviewer has taken. */
  taken: number;
  /** Whether there is a form to fill in. */
  hasForm: boolean;
  /** How many of its fields the interviewer has taken. */
  filled: number;
}

/**
 * The one live region: whose turn it is, stage changes, that a typed answer has arrived, that there is a form,
 * that it ends. Never the interviewer's sentences.
 */
function Says({ situation, stageTitle, taken, hasForm, filled }: SaysProps) {
  const [said, setSaid] = useState('');
  const stage = useRef(stageTitle);
  useEffect(() => {
    if (stageTitle && stage.current !== stageTitle) {
      stage.current = stageTitle;
      setSaid((was) => saidNext(was, t('says.next', { stage: stageTitle })));
    }
  }, [stageTitle]);
  useEffect(() => {
    if (taken > 0) setSaid((was) => saidNext(was, t('says.sent')));
  }, [taken]);
  useEffect(() => {
    const text = SAID[situation];
    if (text) setSaid((was) => saidNext(was, text));
  }, [situation]);
  useEffect(() => {
    if (hasForm) setSaid((was) => saidNext(was, t('form.isThere')));
  }, [hasForm]);
  useEffect(() => {
    if (filled > 0) setSaid((was) => saidNext(was, t('form.isSent')));
  }, [filled]);
  return (
    <p className="sr" role="status">
      {said}
    </p>
  );
}

/** Some browsers play nothing until a button was pressed on this very page. */
function SoundBlocked() {
  const { canPlayAudio, startAudio } = useAudioPlayback();
  if (canPlayAudio) return null;
  return (
    <Notice kind="warn" icon="sound" heading={t('room.soundBlocked')} told="now">
      <div className="row">
        <button type="button" className="btn primary" onClick={startAudio}>
          {t('room.soundOn')}
        </button>
      </div>
    </Notice>
  );
}

/** The last value there was. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** In which stage each reply of the interviewer's began. */
function useStageOf(replies: readonly string[], stage: string | undefined) {
  const stages = useRef(new Map<string, string | undefined>());
  for (const reply of replies) if (!stages.current.has(reply)) stages.current.set(reply, stage);
  return (reply: string) => stages.current.get(reply);
}

/** Shift+E asks to end, when no field or dialog has the focus. */
function useShiftE(onEnd: () => void) {
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      const busy = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
      if (event.key === 'E' && event.shiftKey && !event.ctrlKey && !event.metaKey && !busy) end.current();
    }
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
