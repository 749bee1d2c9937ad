import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api, type InterviewRow } from '../api/client';
import { nameOf, stateOf, whenOf } from './words';

const AGAIN_MS = 5000;

/** All interviews there are, with the way to what was said. `fresh`: changes when there is a new one. */
export function InterviewList({ fresh }: { fresh: string | undefined }) {
  const [rows, setRows] = useState<InterviewRow[]>([]);
  const [trouble, setTrouble] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new interview is what it loads for.
  useEffect(() => {
    let gone = false;
    let timer: number | undefined;
    async function load() {
      const answer = await api.interviews();
      if (gone) return;
      if (answer.ok) setRows(answer.data);
      setTrouble(answer.ok ? undefined : answer.problem.message);
      timer = window.setTimeout(load, AGAIN_MS);
    }
    load();
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [fresh]);
  if (rows.length === 0 && !trouble) return null;
  return (
    <section className="card interviews" aria-labelledby="interviews-h">
      <h2 id="interviews-h">Interviews</h2>
      {trouble && <p className="status warn">{trouble}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <Link href={`/interviews/${row.id}`}>{nameOf(row)}</Link>
            <span>{stateOf(row, Date.now())}</span>
            <span className="small soft">{[row.role, row.title, whenOf(row)].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
