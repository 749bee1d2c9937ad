import { useEffect, useRef, useState } from 'react';

/** A recording that stays in the page. */
export type LocalRecording = { kind: 'none' } | { kind: 'on' } | { kind: 'done'; url: string; sound: Blob };

/** Records what a microphone hears, into the page's memory and nowhere else. It ends by itself after `lengthMaxMs`. */
export function useLocalRecording(lengthMaxMs = 60_000) {
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
      const sound = new Blob(parts, { type: mine.mimeType });
      setRecording({ kind: 'done', url: URL.createObjectURL(sound), sound });
    };
    const timer = window.setTimeout(() => mine.state === 'recording' && mine.stop(), lengthMaxMs);
    mine.start();
    setRecording({ kind: 'on' });
  }

  return { recording, begin, end: () => recorder.current?.stop() };
}
