import { RoomAudioRenderer, RoomContext } from '@livekit/components-react';
import type { Admission, Candidate } from '../../api/client';
import { Interview } from './Interview';
import { useCall } from './useCall';

interface RoomPageProps {
  token: string;
  candidate: Candidate;
  admission: Admission;
  /** The microphone that was tried before; the browser's own choice without it. */
  microphone: string | undefined;
  /** The interview is over, or its page says how far it came. */
  onOver: () => void;
  /** The candidate leaves for now. */
  onLater: () => void;
}

/** C02: the room, by LiveKit's own client and components. */
export function RoomPage({ token, candidate, admission, microphone, onOver, onLater }: RoomPageProps) {
  const call = useCall({ token, admission, microphone, onOver });
  return (
    <RoomContext.Provider value={call.room}>
      <RoomAudioRenderer />
      <Interview token={token} candidate={candidate} call={call} onOver={onOver} onLater={onLater} />
    </RoomContext.Provider>
  );
}
