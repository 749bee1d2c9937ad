import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { interviews } from '../api/queries';
import { t } from '../texts';
import { nameOf, stateOf, whenOf } from './words';

/** All interviews there are, with the way to what was said. */
export function InterviewList() {
  const { data: rows, error, dataUpdatedAt } = useQuery(interviews);
  if (rows.length === 0 && !error) return null;
  return (
    <section className="card interviews" aria-labelledby="interviews-h">
      <h2 id="interviews-h">{t('interviews.heading')}</h2>
      {error && <p className="status warn">{error.message}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <Link href={`/interviews/${row.id}`}>{nameOf(row)}</Link>
            <span>{stateOf(row, dataUpdatedAt)}</span>
            <span className="small soft">{[row.role, row.title, whenOf(row)].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
