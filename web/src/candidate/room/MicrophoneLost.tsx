import { useMediaDeviceSelect } from '@livekit/components-react';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { Notice } from '../../ui/Notice';

/** The microphone has gone: which are there, and how to get on. */
export function MicrophoneLost({ onChoose, onType }: { onChoose: (deviceId: string) => void; onType: () => void }) {
  const { devices } = useMediaDeviceSelect({ kind: 'audioinput' });
  const typeInstead = (
    <button type="button" className="btn dense" onClick={onType}>
      <Icon name="keyboard" /> {t('typed.instead')}
    </button>
  );
  return (
    <Notice kind="bad" icon="mic-off" heading={t('room.unheard')} told="now">
      {devices.length === 0 ? (
        <>
          <p>{t('room.noMicrophone')}</p>
          <div className="row">{typeInstead}</div>
        </>
      ) : (
        <>
          <p>{t('room.otherMicrophone')}</p>
          <div className="row">
            {devices.map((device, index) => (
              <button
                type="button"
                className="btn dense"
                key={device.deviceId}
                onClick={() => onChoose(device.deviceId)}
              >
                {device.label || t('microphone', { number: index + 1 })}
              </button>
            ))}
            {typeInstead}
          </div>
        </>
      )}
    </Notice>
  );
}
