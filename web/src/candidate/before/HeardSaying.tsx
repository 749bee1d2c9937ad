import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/client';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { useLocalRecording } from './useLocalRecording';
import { wavFrom } from './wav';

/** The server takes no more. */
const SECONDS_MAX = 14;

/** One sentence, and what the recogniser has heard of it. It is sent, understood, and not kept. */
export function HeardSaying({ token, track }: { token: string; track: () => MediaStreamTrack | undefined }) {
  const { recording, begin, end } = useLocalRecording(SECONDS_MAX * 1000);
  const hearing = useMutation({
    mutationFn: async (sound: Blob) => api.checkSound(token, await wavFrom(sound, SECONDS_MAX)),
  });
  const sound = recording.kind === 'done' ? recording.sound : undefined;
  const { mutate, reset } = hearing;
  useEffect(() => {
    if (sound) mutate(sound);
  }, [sound, mutate]);

  function record() {
    const microphone = track();
    reset();
    if (microphone) begin(microphone);
  }
  return (
    <div className="stack">
      <p className="small" id="say-l">
        {t('soundCheck.say')}
      </p>
      <div className="row">
        {recording.kind === 'on' ? (
          <button type="button" className="btn dense" onClick={end}>
            <Icon name="check" /> {t('soundCheck.done')}
          </button>
        ) : (
          <button type="button" className="btn dense" aria-describedby="say-l" onClick={record}>
            <Icon name="mic" /> {hearing.data ? t('soundCheck.again') : t('soundCheck.record')}
          </button>
        )}
      </div>
      <p className="small" role="status">
        {recording.kind === 'on' && <span className="status live">{t('soundCheck.isOn')}</span>}
        {hearing.isPending && t('soundCheck.listening')}
        {hearing.data && recording.kind === 'done' && <Heard said={hearing.data.heard} />}
        {hearing.error && recording.kind === 'done' && <span className="status warn">{why(hearing.error)}</span>}
      </p>
    </div>
  );
}

function Heard({ said }: { said: string }) {
  if (!said) return <span className="status warn">{t('soundCheck.noWord')}</span>;
  return (
    <>
      <span className="status ok">{t('soundCheck.weHeard')}</span> <q className="voice">{said}</q>{' '}
      {t('soundCheck.misheard')}
    </>
  );
}

/** What the browser cannot record is no failure of the server. */
function why(error: Error): string {
  return error instanceof DOMException ? t('soundCheck.notRecorded') : error.message;
}
