import { useLocalParticipant, useTranscriptions, useVoiceAssistant } from '@livekit/components-react';
import { LocalAudioTrack, RemoteAudioTrack } from 'livekit-client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Candidate } from '../../api/client';
import { t } from '../../texts';
import { Frame } from '../../ui/Frame';
import { forgetRoom, rememberRoom, roomRemembered } from '../memory';
import type { Preferences, SetPreferences } from '../preferences';
import { Asked } from './Asked';
import { Captions } from './Captions';
import { ContactCard } from './ContactCard';
import { captionsOf, joinedUp } from './captions';
import { elapsedOf, timeSentenceOf } from './clock';
import { Dock } from './Dock';
import { EndDialog, LostDialog, StoppedDialog, TakenDialog } from './dialogs';
import { HelpButtons, HelpWord } from './HelpButtons';
import { helpSentenceOf, isOffered } from './help';
import type { KeyAction } from './keys';
import { MicrophoneLost } from './MicrophoneLost';
import { Presence } from './Presence';
import { Says } from './Says';
import { SettingsDialog } from './SettingsDialog';
import { SoundBlocked } from './SoundBlocked';
import { Stages } from './Stages';
import { type Facts, type Situation, situation as situationOf, titleOf } from './situation';
import { Tools } from './Tools';
import { withTyped } from './typed';
import type { Call } from './useCall';
import { useClock } from './useClock';
import { useContactForm } from './useContactForm';
import { useEarlier } from './useEarlier';
import { useEnding } from './useEnding';
import { useGoodbye } from './useGoodbye';
import { useHelp } from './useHelp';
import { useHush } from './useHush';
import { useInterviewer } from './useInterviewer';
import { useKeys } from './useKeys';
import { useMutedTalk } from './useMutedTalk';
import { useNoted } from './useNoted';
import { usePause } from './usePause';
import { usePauses } from './usePauses';
import { useQuestion } from './useQuestion';
import { useSoundTrouble } from './useSoundTrouble';
import { useStanding } from './useStanding';
import { useTyped } from './useTyped';
import { VoiceLine } from './VoiceLine';

interface InterviewProps {
  token: string;
  candidate: Candidate;
  call: Call;
  /** Whether they were in the room when the page was loaded anew. */
  returns: boolean;
  preferences: Preferences;
  setPreferences: SetPreferences;
  onOver: () => void;
  onLater: () => void;
}

/** In these nothing can be asked of the interviewer. */
const WITHOUT_HELP: readonly Situation[] = ['paused', 'connecting', 'in-line', 'ending', 'trouble'];

/** What is shown and pressed in the room. */
export function Interview(props: InterviewProps) {
  const { token, candidate, call, returns, preferences, setPreferences, onOver, onLater } = props;
  const { room, line, rejoins } = call;
  const { agent, state, audioTrack, agentAttributes } = useVoiceAssistant();
  const { isMicrophoneEnabled, localParticipant, microphoneTrack } = useLocalParticipant();
  const heard = useTranscriptions();
  const stage = useLast(agentAttributes?.['vivavoce.stage']);
  const phase = useLast(agentAttributes?.['vivavoce.phase']);
  const progress = useLast(agentAttributes?.['vivavoce.progress']);
  const agentState = useLast(agent ? state : undefined);

  const typing = useTyped({ room, line, rejoins, agent, streams: heard.length, startsOpen: preferences.types });
  const ending = useEnding(room, agent, onOver);
  const begun = candidate.state === 'in_progress';
  const isJoined = line.kind === 'joined';
  const voice = audioTrack?.publication.track instanceof RemoteAudioTrack ? audioTrack.publication.track : undefined;
  const { presence, isAway } = useInterviewer({ token, joined: isJoined, begun, agent, track: voice });
  const isStopped = useGoodbye(token, isAway, onOver);
  const onPaste = useNoted(token, candidate.integrity === 'facts' && isJoined);
  const asks = line.kind === 'cut' || line.kind === 'taken';
  useStanding({ token, asks, onOver, onUnreachable: () => line.kind === 'cut' && call.giveUp() });

  const earlier = useEarlier(token, begun || rejoins > 0, rejoins);
  const { identity } = localParticipant;
  const { answers } = typing.typed;
  const streams = useMemo(
    () => withTyped(answers, { earlier: earlier.captions, streams: heard, candidate: identity, rejoins }),
    [answers, earlier, heard, identity, rejoins],
  );
  const joined = useMemo(() => joinedUp(earlier.captions, captionsOf(streams, identity)), [earlier, streams, identity]);
  const captions = useKept(joined, isJoined && joined.length > 0);
  const [remembered] = useState(() => roomRemembered(token)?.question);
  const question = useQuestion({
    before: remembered ?? earlier.question,
    streams,
    candidate: identity,
    rejoins,
    stage,
    progress,
    told: useLast(agentAttributes?.['vivavoce.question']),
    isSpeaking: agentState === 'speaking',
    onQuestion: (question) => rememberRoom(token, question),
  });
  useRemembered(token, line.kind === 'taken', isJoined);

  const [help, press] = useHelp({ room, line, agent, stage });
  const offered = useLast(agentAttributes?.['vivavoce.help']);
  // The same figure as in the clock's attribute: whole seconds.
  // It is there only while they think.
  const thinkingSeconds = elapsedOf(agentAttributes?.['vivavoce.thinking_time']);
  const toldPaused = useLast(agentAttributes?.['vivavoce.paused']);
  const pause = usePause({ help, press, told: toldPaused, returns, agent: isJoined ? agent : undefined });
  const isHushing = help.asked?.state === 'sent' && ['skip', 'pause'].includes(help.asked.request);
  useHush(voice, pause.isPaused || isHushing);

  const pauses = usePauses({
    room,
    agent: isJoined ? agent : undefined,
    pauses: preferences.pauses,
    before: begun ? candidate.accommodations.pauses : undefined,
    setPreferences,
  });

  const [isMuted, setMuted] = useState(false);
  const isTyping = typing.typed.isOpen;
  useMicrophoneOff(call, isMuted || isTyping || pause.isPaused, returns || preferences.types);
  const microphone = microphoneTrack?.track instanceof LocalAudioTrack ? microphoneTrack.track : undefined;
  const isOnlyMuted = isMuted && !isTyping && !pause.isPaused;
  const mutedHint = useMutedTalk(room, agent, isOnlyMuted ? microphone : undefined);

  const filling = useContactForm({ room, line, agent, fields: candidate.form, phase, say: typing.say });
  // For good: a line that is cut takes the captions along until they are read again.
  const hasBegun = useLast(begun || captions.length > 0 || undefined) ?? false;
  const facts: Facts = {
    line: isStopped && isJoined ? { kind: 'stopped' } : line,
    ending: ending.ending,
    microphone: call.microphoneLost ? 'lost' : isMuted ? 'muted' : 'on',
    isPaused: pause.isPaused,
    isTyping,
    isHeld: thinkingSeconds !== undefined,
    interviewer: presence,
    agent: agentState,
    begun: hasBegun,
  };
  const situation = situationOf(facts);
  // While it asks whether to end, the interview goes on behind the dialog.
  const behind = situation === 'end-asked' ? situationOf({ ...facts, ending: 'no' }) : situation;
  // Who types is told of their turn as everybody.
  const spoken =
    behind === 'typing' ? situationOf({ ...facts, ending: 'no', isTyping: false, microphone: 'on' }) : behind;
  const soundTrouble = useSoundTrouble(isMicrophoneEnabled ? microphone : undefined, behind === 'listening');
  const isRunning = isJoined && presence === 'met' && !pause.isPaused;
  const passedMs = useClock({
    isRunning,
    attribute: agentAttributes?.['vivavoce.elapsed'],
    earlierMs: earlier.lastMs,
  });

  const [hasSettings, setSettings] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  function type() {
    if (pause.isPaused) return;
    // The field has to be there before it can take the focus.
    flushSync(isTyping ? typing.close : typing.open);
    (isTyping ? opener : field).current?.focus();
  }
  const hasHelp = question !== undefined && !WITHOUT_HELP.includes(behind);
  function act(action: KeyAction) {
    switch (action) {
      case 'repeat':
      case 'rephrase':
      case 'more_time':
      case 'skip':
        return hasHelp && isOffered(action, offered) && press(action);
      case 'pause':
        return pause.toggle();
      case 'mute':
        return !isTyping && !pause.isPaused && setMuted(!isMuted);
      case 'type':
        return type();
      case 'end':
        return ending.ask();
      case 'settings':
        return setSettings(true);
    }
  }
  useKeys(preferences.singleKeys, act);

  const { interviewer } = candidate;
  return (
    <Frame
      title={t('room.titleOf', { state: titleOf(behind, interviewer, hasBegun), page: t('room.title') })}
      about={candidate.role}
      page="room"
      tools={
        <Tools
          isLost={situation === 'lost' || situation === 'stopped'}
          time={preferences.time && hasBegun ? timeSentenceOf(passedMs, candidate.length_limit_s) : undefined}
          withKeys={preferences.singleKeys}
          onSettings={() => setSettings(true)}
        />
      }
      dock={
        <Dock
          muted={isMuted}
          level={isMicrophoneEnabled ? microphone : undefined}
          mutedHint={mutedHint}
          soundTrouble={soundTrouble}
          typing={typing}
          field={field}
          opener={opener}
          interviewer={interviewer}
          isPaused={pause.isPaused}
          isPausing={pause.isPausing}
          isEnding={situation === 'ending'}
          trouble={ending.trouble}
          withKeys={preferences.singleKeys}
          onPaste={onPaste}
          act={act}
        />
      }
    >
      <h1 className="sr">{t('room.heading', { interviewer })}</h1>
      <Says
        situation={spoken}
        stageTitle={candidate.stages.find(({ id }) => id === stage)?.title}
        taken={answers.filter(({ state }) => state === 'taken').length}
        hasForm={filling.fields.length > 0}
        filled={Object.keys(filling.form.taken).length}
        cameOf={help.asked && !pause.isBack ? helpSentenceOf(help.asked, interviewer) : undefined}
      />
      <Stages language={candidate.language} stages={candidate.stages} current={stage} progress={progress} />
      <div className="stage" data-text-size={preferences.textSize}>
        <div className="talk">
          <section className="presence" aria-label={t('room.now')}>
            <VoiceLine situation={behind} interviewer={voice} candidate={microphone} />
            <Presence
              situation={behind}
              interviewer={interviewer}
              begun={hasBegun}
              isBack={pause.isBack}
              isSpoken={agentState === 'speaking'}
              thinkingSeconds={thinkingSeconds}
            />
            {!pause.isBack && <HelpWord help={help} interviewer={interviewer} />}
          </section>
          {question && (
            <section className="asked" aria-labelledby="asked-h">
              <h2 id="asked-h">{t('room.question')}</h2>
              <p className="voice" lang={candidate.language}>
                <Asked question={question} />
              </p>
              {hasHelp && (
                <HelpButtons
                  help={help}
                  offered={offered}
                  isHeld={thinkingSeconds !== undefined}
                  withKeys={preferences.singleKeys}
                  onPress={act}
                />
              )}
            </section>
          )}
          <ContactCard filling={filling} all={candidate.form} interviewer={interviewer} />
          <SoundBlocked />
          {situation === 'no-microphone' && <MicrophoneLost onChoose={call.chooseMicrophone} onType={type} />}
        </div>
        <Captions
          language={candidate.language}
          captions={captions}
          interviewer={interviewer}
          open={preferences.captions}
          onOpen={(captions) => setPreferences({ captions })}
          areRead={isTyping}
        />
      </div>
      {hasSettings && (
        <SettingsDialog
          preferences={preferences}
          setPreferences={setPreferences}
          pauses={pauses}
          onMicrophone={call.chooseMicrophone}
          onDone={() => setSettings(false)}
        />
      )}
      {situation === 'end-asked' && (
        <EndDialog
          onCarryOn={ending.carryOn}
          onPause={
            WITHOUT_HELP.includes(behind)
              ? undefined
              : () => {
                  ending.carryOn();
                  pause.toggle();
                }
          }
          onEnd={ending.end}
        />
      )}
      {situation === 'lost' && <LostDialog tries={call.tries} onNow={call.joinNow} onLater={onLater} />}
      {situation === 'stopped' && <StoppedDialog token={token} onBack={call.joinNow} mayGoOn={isStopped} />}
      {situation === 'second-tab' && <TakenDialog onTake={call.joinNow} />}
    </Frame>
  );
}

/** The last value there was. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

/** A value as it was when it was last good. */
function useKept<T>(value: T, isGood: boolean): T {
  const kept = useRef(value);
  if (isGood) kept.current = value;
  return kept.current;
}

/** Switches the microphone off and on. `wasOff`: as it was when the room was joined. */
function useMicrophoneOff(call: Call, isOff: boolean, wasOff: boolean): void {
  const last = useRef(wasOff);
  const set = useRef(call.setMuted);
  set.current = call.setMuted;
  useEffect(() => {
    if (last.current === isOff) return;
    last.current = isOff;
    set.current(isOff);
  }, [isOff]);
}

/** A tab that is in the room knows it when it is loaded anew; one whose place another took does not go back by itself. */
function useRemembered(token: string, isTaken: boolean, isJoined: boolean): void {
  useEffect(() => {
    if (isTaken) forgetRoom(token);
    else if (isJoined) rememberRoom(token, roomRemembered(token)?.question);
  }, [token, isTaken, isJoined]);
}
