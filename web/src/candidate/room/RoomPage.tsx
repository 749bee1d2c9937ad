import { RoomAudioRenderer, RoomContext } from '@livekit/components-react';
import type { Admission, Candidate } from '../../api/client';
import type { Preferences, SetPreferences } from '../preferences';
import { Interview } from './Interview';
import { useCall } from './useCall';

interface RoomPageProps {
  token: string;
  candidate: Candidate;
  admission: Admission;
  /** The microphone that was tried before; the browser's own choice without it. */
  microphone: string | undefined;
  /** Whether they were in the room when the page was loaded anew: it waits until they go on. */
  returns: boolean;
  preferences: Preferences;
  setPreferences: SetPreferences;
  /** The interview is over, or its page says how far it came. */
  onOver: () => void;
  /** The candidate leaves for now. */
  onLater: () => void;
}

/** C02: the room, by LiveKit's own client and components. */
export function RoomPage({ token, admission, microphone, onOver, ...rest }: RoomPageProps) {
  const startsMuted = rest.returns || rest.preferences.types;
  const call = useCall({ token, admission, microphone, startsMuted, onOver });
  return (
    <RoomContext.Provider value={call.room}>
      <RoomAudioRenderer />
      <Interview token={token} call={call} onOver={onOver} {...rest} />
    </RoomContext.Provider>
  );
}
