import { Room, RoomEvent, Track } from 'livekit-client';

/** Joins a room to hear what is said in it, without a microphone. Answers how to leave. */
export async function listenIn(url: string, token: string, onGone: () => void): Promise<() => void> {
  const room = new Room();
  const players = new Set<HTMLMediaElement>();
  room.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== Track.Kind.Audio) return;
    const player = track.attach();
    players.add(player);
    document.body.append(player);
  });
  room.on(RoomEvent.TrackUnsubscribed, (track) => {
    for (const player of track.detach()) {
      players.delete(player);
      player.remove();
    }
  });
  function quiet() {
    for (const player of players) player.remove();
    players.clear();
  }
  room.on(RoomEvent.Disconnected, () => {
    quiet();
    onGone();
  });
  await room.connect(url, token, { autoSubscribe: true });
  // The press that led here allows sound.
  await room.startAudio();
  return () => {
    quiet();
    room.disconnect();
  };
}
