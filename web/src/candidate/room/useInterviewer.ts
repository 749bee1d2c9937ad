import { useQuery } from '@tanstack/react-query';
import type { RemoteAudioTrack, RemoteParticipant } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { lineOf } from '../../api/queries';
import type { Presence } from './situation';

const READ_EVERY_MS = 500;
/** Our interviewer sends a packet every 20 ms, silence too. */
const SILENT_AFTER_MS = 2000;
/** An interviewer who has said goodbye leaves; the page is told of the end meanwhile. */
const GONE_AFTER_MS = 1500;

interface InterviewerProps {
  token: string;
  /** Whether we are in the room. */
  joined: boolean;
  /** Whether the interview had begun when the page was opened. */
  begun: boolean;
  agent: RemoteParticipant | undefined;
  track: RemoteAudioTrack | undefined;
}

/** Whether the interviewer is there. The server tells of one who died about 20 s later; their sound tells it at once. */
export function useInterviewer({ token, joined, begun, agent, track }: InterviewerProps) {
  const met = useRef(begun);
  met.current ||= agent !== undefined;
  const isSilent = useSilent(track);
  /** For however short a time. */
  const isAway = joined && met.current && (agent === undefined || isSilent);
  const isGone = useLasting(isAway);
  const inLine = useInLine(token, joined && !met.current);
  const presence: Presence = isGone ? 'gone' : met.current ? 'met' : inLine ? 'in-line' : 'awaited';
  return { presence, isAway };
}

/** Whether nothing at all, not even silence, comes on a track. */
function useSilent(track: RemoteAudioTrack | undefined): boolean {
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    setSilent(false);
    if (!track) return;
    let bytes: number | undefined;
    let grewAt = performance.now();
    const timer = window.setInterval(async () => {
      const stats = await track.getReceiverStats().catch(() => undefined);
      if (stats?.bytesReceived !== bytes) grewAt = performance.now();
      bytes = stats?.bytesReceived;
      setSilent(performance.now() - grewAt >= SILENT_AFTER_MS);
    }, READ_EVERY_MS);
    return () => window.clearInterval(timer);
  }, [track]);
  return isSilent;
}

function useLasting(isSo: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    setLasts(false);
    if (!isSo) return;
    const timer = window.setTimeout(() => setLasts(true), GONE_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [isSo]);
  return isSo && lasts;
}

/** Whether an interviewer was called and none was free. */
function useInLine(token: string, isAwaited: boolean): boolean {
  const { data } = useQuery({ ...lineOf(token), enabled: isAwaited });
  return data?.in_line ?? false;
}
