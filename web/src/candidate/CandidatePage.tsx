import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Admission, api, Failure } from '../api/client';
import { isFinal, isRefused } from '../api/final';
import { candidateOf } from '../api/queries';
import { NotLoaded } from '../NotLoaded';
import { t } from '../texts';
import { Frame, Loading } from '../ui/Frame';
import { BeforePage } from './before/BeforePage';
import { forgetRoom, rememberRoom, roomRemembered } from './memory';
import { accommodated, usePreferences } from './preferences';
import { Refused } from './Refused';

const loadRoom = () => import('./room/RoomPage');
// It brings livekit-client along, which is most of the code; what comes before the room opens without it.
const RoomPage = lazy(() =>
  loadRoom().then(
    ({ RoomPage }) => ({ default: RoomPage }),
    () => ({ default: NotLoaded }),
  ),
);

/** Where in the page we are. */
type Place =
  | { kind: 'before' }
  /** They were in the room when the page was loaded anew, and go back there. */
  | { kind: 'back' }
  | { kind: 'room'; admission: Admission; microphone: string | undefined; returns: boolean };

/** Conflict: the interview is over. */
const OVER = 409;
/** An interview that goes on without the candidate ends at some time. */
const GOES_ON_ASKS_MS = 5000;

/** One link: before the interview, then the room; what is over has its own page. */
export default function CandidatePage({ token }: { token: string }) {
  const [place, setPlace] = useState<Place>(() => ({ kind: roomRemembered(token) ? 'back' : 'before' }));
  /** They were in the room, and left it for now. */
  const [isBack, setBack] = useState(false);
  const { data, error } = useQuery({
    ...candidateOf(token),
    refetchInterval: ({ state }) =>
      place.kind === 'before' && (isBack || state.data?.state === 'in_progress') && GOES_ON_ASKS_MS,
  });
  const [preferences, setPreferences] = usePreferences();
  const [, navigate] = useLocation();
  const isOver = isFinal(null, data?.state);

  // What whoever invited them has set is there from the start; they may take it back.
  const accommodations = data?.accommodations;
  const hasBeenSet = useRef(false);
  useEffect(() => {
    if (!accommodations || hasBeenSet.current) return;
    hasBeenSet.current = true;
    setPreferences(accommodated(preferences, accommodations));
  });

  useEffect(() => {
    if (isOver) navigate(`/i/${token}/after`, { replace: true });
  }, [isOver, token, navigate]);

  // A page that is shown stays there: what is typed and chosen would be lost.
  if (error && (!data || isRefused(error))) return <Refused status={error.status} message={error.message} />;
  if (!data || isOver) return <Opening />;
  const candidate = isBack ? { ...data, state: 'in_progress' as const } : data;
  const over = () => {
    forgetRoom(token);
    navigate(`/i/${token}/after`);
  };
  switch (place.kind) {
    case 'back':
      return (
        <GoBack
          token={token}
          onAdmitted={(admission) => setPlace({ kind: 'room', admission, microphone: undefined, returns: true })}
          onOver={over}
          onRefused={() => {
            forgetRoom(token);
            setPlace({ kind: 'before' });
          }}
          mayGoBack={candidate.state === 'in_progress' || candidate.state === 'stopped'}
        />
      );
    case 'before':
      return (
        <BeforePage
          token={token}
          candidate={candidate}
          preferences={preferences}
          setPreferences={setPreferences}
          onStart={() => void loadRoom().catch(() => undefined)}
          onAdmitted={(admission, microphone) => {
            rememberRoom(token, roomRemembered(token)?.question);
            setPlace({ kind: 'room', admission, microphone, returns: false });
          }}
          onOver={over}
        />
      );
    case 'room':
      return (
        <Suspense fallback={<Opening />}>
          <RoomPage
            token={token}
            candidate={candidate}
            admission={place.admission}
            microphone={place.microphone}
            returns={place.returns}
            preferences={preferences}
            setPreferences={setPreferences}
            onOver={over}
            onLater={() => {
              forgetRoom(token);
              setBack(true);
              setPlace({ kind: 'before' });
            }}
          />
        </Suspense>
      );
  }
}

interface GoBackProps {
  token: string;
  /** Whether the interview goes on without them. */
  mayGoBack: boolean;
  onAdmitted: (admission: Admission) => void;
  onOver: () => void;
  onRefused: () => void;
}

/** Goes back into the room, once. */
function GoBack({ token, mayGoBack, onAdmitted, onOver, onRefused }: GoBackProps) {
  const hasAsked = useRef(false);
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    if (!mayGoBack) return onRefused();
    api
      .start(token)
      .then(onAdmitted, (why) => (why instanceof Failure && why.status === OVER ? onOver() : onRefused()));
  }, [token, mayGoBack, onAdmitted, onOver, onRefused]);
  return <Opening />;
}

function Opening() {
  return (
    <Frame title={t('before.loading')} page="before">
      <Loading />
    </Frame>
  );
}
