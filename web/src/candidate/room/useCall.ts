import {
  ConnectionState,
  DisconnectReason,
  type Participant,
  Room,
  RoomEvent,
  Track,
  TrackEvent,
  type TrackPublication,
} from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { type Admission, api } from '../../api/client';
import { speakerRemembered } from '../memory';
import { joiner, type Loss } from './joiner';
import type { Line } from './situation';

const CUT_SHOWN_AFTER_MS = 1500;
/** Without signalling alone the sound goes on, and most often it is back at once. */
const NO_SIGNAL_SHOWN_AFTER_MS = 3000;

export interface Call {
  room: Room;
  line: Line;
  /** The microphone could not be opened, or has gone. */
  microphoneLost: boolean;
  /** How often a new connection was tried since the last one broke. */
  tries: number;
  /** How often the room was joined again: what was received before is gone then. */
  rejoins: number;
  /** Joins again at once: after a cut, or to take over from another tab. */
  joinNow: () => void;
  /** Tries no more, as nobody answers; `joinNow` begins again. */
  giveUp: () => void;
  /** Switches the microphone, remembered through every new connection. */
  setMuted: (muted: boolean) => void;
  /** Takes another microphone. */
  chooseMicrophone: (deviceId: string) => void;
}

interface CallProps {
  token: string;
  admission: Admission;
  microphone: string | undefined;
  /** Whether the microphone is not to be opened yet. */
  startsMuted: boolean;
  onOver: () => void;
}

/**
 * Holds the room for as long as the page is open. livekit-client resumes by itself; when it gives up, a
 * fresh admission is fetched and the same room is joined again, for as long as the page is there.
 */
export function useCall({ token, admission, microphone, startsMuted, onOver }: CallProps): Call {
  const [room] = useState(
    () =>
      new Room({
        audioCaptureDefaults: { deviceId: microphone },
        audioOutput: { deviceId: speakerRemembered() },
        // What is said before the interviewer hears us is recorded, and sent when they come.
        publishDefaults: { preConnectBuffer: true },
      }),
  );
  const [line, setLine] = useState<Line>({ kind: 'joining' });
  const [microphoneLost, setMicrophoneLost] = useState(false);
  const [tries, setTries] = useState(0);
  const [joins, setJoins] = useState(0);
  const muted = useRef(startsMuted);
  const join = useRef<() => void>(() => undefined);
  const rest = useRef<() => void>(() => undefined);
  const first = useRef(admission);
  const over = useRef(onOver);
  over.current = onOver;

  useEffect(() => {
    let shown: number | undefined;

    function cut(shownAfterMs = CUT_SHOWN_AFTER_MS) {
      setLine((line) => (line.kind === 'cut' ? line : { kind: 'cut', ms: 0 }));
      window.clearTimeout(shown);
      shown = window.setTimeout(() => setLine({ kind: 'cut', ms: CUT_SHOWN_AFTER_MS }), shownAfterMs);
    }
    function joined() {
      window.clearTimeout(shown);
      setTries(0);
      setLine({ kind: 'joined' });
    }
    function openMicrophone() {
      room.localParticipant.setMicrophoneEnabled(!muted.current).then(
        () => setMicrophoneLost(false),
        () => setMicrophoneLost(true),
      );
    }
    const joining = joiner({
      first: first.current,
      admit: () => api.start(token),
      connect: ({ url, token }) => room.connect(url, token),
      disconnect: async () => {
        if (room.state !== ConnectionState.Disconnected) await room.disconnect();
      },
      onJoined: () => {
        setJoins((joins) => joins + 1);
        joined();
        openMicrophone();
      },
      onCut: (tries) => {
        cut();
        setTries(tries);
      },
      onTaken: () => {
        window.clearTimeout(shown);
        setLine({ kind: 'taken' });
      },
      onOver: () => over.current(),
    });
    const isMicrophone = (publication: TrackPublication, participant: Participant) =>
      participant === room.localParticipant && publication.source === Track.Source.Microphone;

    room
      .on(RoomEvent.SignalReconnecting, () => cut(NO_SIGNAL_SHOWN_AFTER_MS))
      .on(RoomEvent.Reconnecting, () => cut())
      .on(RoomEvent.Reconnected, joined)
      .on(RoomEvent.Disconnected, (reason) => joining.lost(lossOf(reason)))
      .on(RoomEvent.MediaDevicesError, () => setMicrophoneLost(true))
      // A device that has gone, or a permission: livekit-client tries another one, then mutes and says no more.
      .on(RoomEvent.TrackMuted, (publication, participant) => {
        if (isMicrophone(publication, participant) && !muted.current) setMicrophoneLost(true);
      })
      .on(RoomEvent.TrackUnmuted, (publication, participant) => {
        if (isMicrophone(publication, participant)) setMicrophoneLost(false);
      })
      .on(RoomEvent.LocalTrackPublished, (publication) => {
        if (publication.source !== Track.Source.Microphone) return;
        setMicrophoneLost(false);
        // The system has muted it, or a phone call takes it.
        publication.track
          ?.on(TrackEvent.UpstreamPaused, () => setMicrophoneLost(!muted.current))
          .on(TrackEvent.UpstreamResumed, () => setMicrophoneLost(false));
      });
    join.current = joining.joinNow;
    rest.current = () => {
      window.clearTimeout(shown);
      joining.rest();
      setLine({ kind: 'stopped' });
    };
    joining.join();
    return () => {
      joining.close();
      window.clearTimeout(shown);
      room.removeAllListeners();
      room.disconnect();
    };
  }, [room, token]);

  return {
    room,
    line,
    microphoneLost,
    tries,
    rejoins: Math.max(0, joins - 1),
    joinNow: () => {
      setLine((line) => (line.kind === 'stopped' ? { kind: 'joining' } : line));
      join.current();
    },
    giveUp: () => rest.current(),
    setMuted: (mute) => {
      muted.current = mute;
      // Not joined yet, it is opened or not when it is.
      if (room.state !== ConnectionState.Connected) return;
      room.localParticipant.setMicrophoneEnabled(!mute).then(
        () => setMicrophoneLost(false),
        () => setMicrophoneLost(true),
      );
    },
    chooseMicrophone: (deviceId) => {
      room
        .switchActiveDevice('audioinput', deviceId)
        .then(() => room.localParticipant.setMicrophoneEnabled(!muted.current))
        .then(() => setMicrophoneLost(false))
        .catch(() => setMicrophoneLost(true));
    },
  };
}

function lossOf(reason: DisconnectReason | undefined): Loss {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return 'taken';
  return reason !== undefined && FINAL.includes(reason) ? 'over' : 'cut';
}

/** After these nobody waits in the room. */
const FINAL = [DisconnectReason.PARTICIPANT_REMOVED, DisconnectReason.ROOM_DELETED, DisconnectReason.ROOM_CLOSED];
