import {
  ConnectionState,
  DisconnectReason,
  type Participant,
  Room,
  RoomEvent,
  Track,
  type TrackPublication,
} from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { type Admission, api } from '../../api/client';
import { retryDelayMs } from './retry';
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
  /** Joins again at once: after a cut, or to take over from another tab. */
  joinNow: () => void;
  /** Switches the microphone, remembered through every new connection. */
  setMuted: (muted: boolean) => void;
  /** Takes another microphone. */
  chooseMicrophone: (deviceId: string) => void;
}

interface CallProps {
  token: string;
  admission: Admission;
  microphone: string | undefined;
  onOver: () => void;
}

/**
 * Holds the room for as long as the page is open. livekit-client resumes by itself; when it gives up, a
 * fresh admission is fetched and the same room is joined again, for as long as the page is there.
 */
export function useCall({ token, admission, microphone, onOver }: CallProps): Call {
  const [room] = useState(
    () =>
      new Room({
        audioCaptureDefaults: { deviceId: microphone },
        // What is said before the interviewer hears us is recorded, and sent when they come.
        publishDefaults: { preConnectBuffer: true },
      }),
  );
  const [line, setLine] = useState<Line>({ kind: 'joining' });
  const [microphoneLost, setMicrophoneLost] = useState(false);
  const [tries, setTries] = useState(0);
  const muted = useRef(false);
  const join = useRef<() => void>(() => undefined);
  // The first admission comes with the page; every later one is fetched.
  const first = useRef<Admission | undefined>(admission);
  const over = useRef(onOver);
  over.current = onOver;

  useEffect(() => {
    let closed = false;
    let failures = 0;
    let retry: number | undefined;
    let shown: number | undefined;

    function cut(shownAfterMs = CUT_SHOWN_AFTER_MS) {
      setLine((line) => (line.kind === 'cut' ? line : { kind: 'cut', ms: 0 }));
      window.clearTimeout(shown);
      shown = window.setTimeout(() => setLine({ kind: 'cut', ms: CUT_SHOWN_AFTER_MS }), shownAfterMs);
    }
    function joined() {
      failures = 0;
      window.clearTimeout(shown);
      setTries(0);
      setLine({ kind: 'joined' });
    }
    function later() {
      retry = window.setTimeout(attempt, retryDelayMs(failures, Math.random()));
      failures += 1;
      setTries(failures);
    }
    async function attempt() {
      window.clearTimeout(retry);
      const answer = first.current ? { ok: true as const, data: first.current } : await api.start(token);
      first.current = undefined;
      if (closed) return;
      if (!answer.ok) return answer.status === 409 ? over.current() : later();
      try {
        await room.connect(answer.data.url, answer.data.token);
      } catch {
        if (!closed) later();
        return;
      }
      if (closed) return void room.disconnect();
      joined();
      openMicrophone();
    }
    function openMicrophone() {
      room.localParticipant.setMicrophoneEnabled(!muted.current).then(
        () => setMicrophoneLost(false),
        () => setMicrophoneLost(true),
      );
    }
    function disconnected(reason?: DisconnectReason) {
      if (closed) return;
      if (reason === DisconnectReason.DUPLICATE_IDENTITY) return setLine({ kind: 'taken' });
      if (reason !== undefined && FINAL.includes(reason)) return over.current();
      cut();
      later();
    }
    const isMicrophone = (publication: TrackPublication, participant: Participant) =>
      participant === room.localParticipant && publication.source === Track.Source.Microphone;

    room
      .on(RoomEvent.SignalReconnecting, () => cut(NO_SIGNAL_SHOWN_AFTER_MS))
      .on(RoomEvent.Reconnecting, () => cut())
      .on(RoomEvent.Reconnected, joined)
      .on(RoomEvent.Disconnected, disconnected)
      .on(RoomEvent.MediaDevicesError, () => setMicrophoneLost(true))
      // A device that has gone, or a permission: livekit-client tries another one, then mutes and says no more.
      .on(RoomEvent.TrackMuted, (publication, participant) => {
        if (isMicrophone(publication, participant) && !muted.current) setMicrophoneLost(true);
      })
      .on(RoomEvent.TrackUnmuted, (publication, participant) => {
        if (isMicrophone(publication, participant)) setMicrophoneLost(false);
      })
      .on(RoomEvent.LocalTrackPublished, (publication) => {
        if (publication.source === Track.Source.Microphone) setMicrophoneLost(false);
      });
    join.current = async () => {
      // livekit-client may be at it still, with the connection that is broken.
      if (room.state !== ConnectionState.Disconnected) await room.disconnect();
      attempt();
    };
    attempt();
    return () => {
      closed = true;
      window.clearTimeout(retry);
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
    joinNow: () => join.current(),
    setMuted: (mute) => {
      muted.current = mute;
      room.localParticipant.setMicrophoneEnabled(!mute).catch(() => setMicrophoneLost(true));
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

/** After these nobody waits in the room. */
const FINAL = [DisconnectReason.PARTICIPANT_REMOVED, DisconnectReason.ROOM_DELETED, DisconnectReason.ROOM_CLOSED];
