import { useMediaDeviceSelect } from '@livekit/components-react';
import { Notice } from '../../ui/Notice';

/** The microphone has gone: which are there, and how to get on. */
export function MicrophoneLost({ onChoose }: { onChoose: (deviceId: string) => void }) {
  const { devices } = useMediaDeviceSelect({ kind: 'audioinput' });
  return (
    <Notice kind="bad" icon="mic-off" heading="Your microphone is not heard" told="now">
      {devices.length === 0 ? (
        <p>No microphone is there. Plug one in, or allow it with the lock sign beside the address.</p>
      ) : (
        <>
          <p>It was unplugged, or another program holds it. Choose one of those that are there.</p>
          <div className="row">
            {devices.map((device, index) => (
              <button
                type="button"
                className="btn dense"
                key={device.deviceId}
                onClick={() => onChoose(device.deviceId)}
              >
                {device.label || `Microphone ${index + 1}`}
              </button>
            ))}
          </div>
        </>
      )}
    </Notice>
  );
}
