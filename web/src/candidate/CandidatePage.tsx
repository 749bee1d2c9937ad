import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Admission } from '../api/client';
import { isFinal } from '../api/final';
import { candidateOf } from '../api/queries';
import { t } from '../texts';
import { Frame, Loading } from '../ui/Frame';
import { BeforePage } from './before/BeforePage';
import { Refused } from './Refused';
import { RoomPage } from './room/RoomPage';

/** Where in the page we are. */
type Place = { kind: 'before' } | { kind: 'room'; admission: Admission; microphone: string | undefined };

/** One link: before the interview, then the room; what is over has its own page. */
export default function CandidatePage({ token }: { token: string }) {
  const { data, error } = useQuery(candidateOf(token));
  const [place, setPlace] = useState<Place>({ kind: 'before' });
  /** They were in the room, and left it for now. */
  const [isBack, setBack] = useState(false);
  const [, navigate] = useLocation();
  const isOver = isFinal(null, data?.state);

  useEffect(() => {
    if (isOver) navigate(`/i/${token}/after`, { replace: true });
  }, [isOver, token, navigate]);

  if (error) return <Refused status={error.status} message={error.message} />;
  if (!data || isOver) {
    return (
      <Frame title={t('before.loading')} page="before">
        <Loading />
      </Frame>
    );
  }
  const candidate = isBack ? { ...data, state: 'in_progress' as const } : data;
  switch (place.kind) {
    case 'before':
      return (
        <BeforePage
          token={token}
          candidate={candidate}
          onAdmitted={(admission, microphone) => setPlace({ kind: 'room', admission, microphone })}
          onOver={() => navigate(`/i/${token}/after`)}
        />
      );
    case 'room':
      return (
        <RoomPage
          token={token}
          candidate={candidate}
          admission={place.admission}
          microphone={place.microphone}
          onOver={() => navigate(`/i/${token}/after`)}
          onLater={() => {
            setBack(true);
            setPlace({ kind: 'before' });
          }}
        />
      );
  }
}
