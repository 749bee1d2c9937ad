import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type Admission, api, type Candidate } from '../api/client';
import { Frame, Loading } from '../ui/Frame';
import { BeforePage } from './before/BeforePage';
import { Refused } from './Refused';
import { RoomPage } from './room/RoomPage';

type View =
  | { kind: 'loading' }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'before'; candidate: Candidate }
  | { kind: 'room'; candidate: Candidate; admission: Admission; microphone: string | undefined };

/** One link: before the interview, then the room; what is over has its own page. */
export default function CandidatePage({ token }: { token: string }) {
  const [view, setView] = useState<View>({ kind: 'loading' });
  const [, navigate] = useLocation();

  useEffect(() => {
    api.candidate(token).then((answer) => {
      if (!answer.ok) return setView({ kind: 'refused', status: answer.status, message: answer.problem.message });
      const { state } = answer.data;
      if (state === 'completed' || state === 'interrupted') return navigate(`/i/${token}/after`, { replace: true });
      setView({ kind: 'before', candidate: answer.data });
    });
  }, [token, navigate]);

  switch (view.kind) {
    case 'loading':
      return (
        <Frame title="Your interview" page="before">
          <Loading />
        </Frame>
      );
    case 'refused':
      return <Refused status={view.status} message={view.message} />;
    case 'before':
      return (
        <BeforePage
          token={token}
          candidate={view.candidate}
          onAdmitted={(admission, microphone) => setView({ ...view, kind: 'room', admission, microphone })}
          onOver={() => navigate(`/i/${token}/after`)}
        />
      );
    case 'room':
      return (
        <RoomPage
          token={token}
          candidate={view.candidate}
          admission={view.admission}
          microphone={view.microphone}
          onOver={() => navigate(`/i/${token}/after`)}
          onLater={() => setView({ kind: 'before', candidate: { ...view.candidate, state: 'in_progress' } })}
        />
      );
  }
}
