import { useMediaDeviceSelect } from '@livekit/components-react';
import { t } from '../../texts';

/** Which microphone is used, where there are several. */
export function MicrophoneChoice({ onChoose }: { onChoose: (deviceId: string) => void }) {
  const { devices, activeDeviceId } = useMediaDeviceSelect({ kind: 'audioinput' });
  if (devices.length < 2) return null;
  return (
    <div className="field">
      <label htmlFor="room-microphone">{t('sound.microphone')}</label>
      <select id="room-microphone" value={activeDeviceId} onChange={(event) => onChoose(event.target.value)}>
        {devices.map((device, index) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label || t('microphone', { number: index + 1 })}
          </option>
        ))}
      </select>
    </div>
  );
}
