import { useCallback, useEffect, useRef, useState } from 'react';
import { type LevelWord, levelWord, loudness } from './level';
import { volumeOf } from './volume';

export type Microphone =
  | { kind: 'untried' }
  | { kind: 'asking' }
  | { kind: 'open'; devices: MediaDeviceInfo[]; device: string }
  | { kind: 'blocked' }
  | { kind: 'missing' }
  /** Another program holds it. */
  | { kind: 'busy' }
  /** The page's address is not safe (https), so that browsers hide microphones from it. */
  | { kind: 'insecure' }
  | { kind: 'failed'; why: string };

const READ_MS = 100;
/** So often has a voice to be as loud as it should be until it counts as heard. A knock has fewer. */
const GOOD_READS_MIN = 4;

/** Opens a microphone to show its level. It is closed again before the room opens it. */
export function useMicrophone() {
  const [microphone, setMicrophone] = useState<Microphone>({ kind: 'untried' });
  const [level, setLevel] = useState(0);
  const [word, setWord] = useState<LevelWord>('silent');
  /** Whether a voice was heard on this microphone. Once it was, silence does not take that back. */
  const [isHeard, setHeard] = useState(false);
  const open = useRef<{ track: MediaStreamTrack; stop: () => void }>(undefined);
  /** Which try is the newest: a microphone that opens for an older one, or for a page that has gone, is closed at once. */
  const round = useRef(0);

  const close = useCallback(() => {
    round.current += 1;
    open.current?.stop();
    open.current = undefined;
  }, []);
  useEffect(() => close, [close]);

  const tryDevice = useCallback(
    async (deviceId?: string) => {
      close();
      const mine = round.current;
      setMicrophone({ kind: 'asking' });
      setHeard(false);
      try {
        const track = await opened(deviceId);
        if (mine !== round.current) {
          track.stop();
          return false;
        }
        const volume = volumeOf(track);
        let peak = 0;
        let goodReads = 0;
        const timer = setInterval(() => {
          const now = loudness(volume.read());
          peak = Math.max(now, peak - 1);
          setLevel(now);
          setWord(levelWord(peak));
          const isGood = levelWord(now) === 'good' || levelWord(now) === 'loud';
          goodReads += isGood ? 1 : 0;
          if (goodReads >= GOOD_READS_MIN) setHeard(true);
        }, READ_MS);
        open.current = {
          track,
          stop: () => {
            clearInterval(timer);
            volume.close();
            track.stop();
          },
        };
        // It was unplugged, or the permission was taken back: then nothing is heard on it any more.
        track.addEventListener('ended', () => {
          if (mine !== round.current) return;
          close();
          setHeard(false);
          setMicrophone({ kind: 'missing' });
        });
        const devices = await microphones();
        const device = track.getSettings().deviceId ?? devices[0]?.deviceId ?? '';
        if (mine !== round.current) return false;
        setMicrophone({ kind: 'open', devices, device });
        return true;
      } catch (why) {
        if (mine !== round.current) return false;
        setMicrophone(refusal(why));
        return false;
      }
    },
    [close],
  );

  const track = useCallback(() => open.current?.track, []);

  return { microphone, level, word, isHeard, tryDevice, close, track };
}

/** Opens a microphone as the room will. */
async function opened(deviceId: string | undefined): Promise<MediaStreamTrack> {
  const asInTheRoom = { autoGainControl: true, echoCancellation: true, noiseSuppression: true };
  const audio = deviceId ? { ...asInTheRoom, deviceId: { exact: deviceId } } : asInTheRoom;
  // Browsers hide it from pages whose address is not safe.
  if (!navigator.mediaDevices) throw new DOMException('', INSECURE);
  const [track] = (await navigator.mediaDevices.getUserMedia({ audio })).getAudioTracks();
  if (!track) throw new DOMException('', 'NotFoundError');
  return track;
}

async function microphones(): Promise<MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId);
}

const INSECURE = 'InsecureContextError';

/** Why a microphone does not open, by the name of the browser's error. */
export function refusal(why: unknown): Microphone {
  const name = why instanceof Error ? why.name : '';
  if (name === INSECURE) return { kind: 'insecure' };
  if (name === 'NotReadableError' || name === 'AbortError' || name === 'TrackStartError') return { kind: 'busy' };
  if (name === 'NotAllowedError' || name === 'SecurityError') return { kind: 'blocked' };
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return { kind: 'missing' };
  return { kind: 'failed', why: why instanceof Error ? why.message : String(why) };
}
