import { useEffect, useRef, useState } from 'react';

/** A recording that stays in the page. */
export type LocalRecording = { kind: 'none' } | { kind: 'on' } | { kind: 'done'; url: string };

/** It ends by itself then. */
const LENGTH_MAX_MS = 60_000;

/** Records what a microphone hears, into the page's memory and nowhere else. */
export function useLocalRecording() {
  const [recording, setRecording] = useState<LocalRecording>({ kind: 'none' });
  const recorder = useRef<MediaRecorder>(undefined);

  const url = recording.kind === 'done' ? recording.url : undefined;
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  useEffect(
    () => () => {
      if (recorder.current?.state === 'recording') recorder.current.stop();
      recorder.current = undefined;
    },
    [],
  );

  function begin(track: MediaStreamTrack) {
    const mine = new MediaRecorder(new MediaStream([track]));
    const parts: Blob[] = [];
    recorder.current = mine;
    mine.ondataavailable = ({ data }) => parts.push(data);
    mine.onstop = () => {
      window.clearTimeout(timer);
      // The page has gone meanwhile, or another one has begun.
      if (recorder.current !== mine) return;
      setRecording({ kind: 'done', url: URL.createObjectURL(new Blob(parts, { type: mine.mimeType })) });
    };
    const timer = window.setTimeout(() => mine.state === 'recording' && mine.stop(), LENGTH_MAX_MS);
    mine.start();
    setRecording({ kind: 'on' });
  }

  return { recording, begin, end: () => recorder.current?.stop() };
}
