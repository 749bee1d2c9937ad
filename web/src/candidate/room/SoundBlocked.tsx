import { useAudioPlayback } from '@livekit/components-react';
import { t } from '../../texts';
import { Notice } from '../../ui/Notice';

/** Some browsers play nothing until a button was pressed on this very page. */
export function SoundBlocked() {
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
