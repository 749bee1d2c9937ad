import type { NotedFacts, Report } from '../api/contract';
import { t } from '../texts';
import { type Shown, shownOf } from '../ui/noted';
import { clockOf } from '../ui/time';
import { delaysOf } from './delays';

interface NotedCardProps {
  noted: NotedFacts | null | undefined;
  report: Report;
}

/** What was noted while the interview went on: facts with times, and what the candidate says to them. */
export function NotedCard({ noted, report }: NotedCardProps) {
  if (!noted) return null;
  const facts = shownOf(noted.facts);
  const delays = delaysOf(report.timeline.speech);
  const begun = report.header.started_at ?? facts[0]?.at ?? 0;
  return (
    <section className="card" aria-labelledby="noted-h">
      <h2 id="noted-h" tabIndex={-1}>
        {t('integrity.heading')}
      </h2>
      <p className="small soft">{t('integrity.about')}</p>
      {facts.length === 0 && <p>{t('integrity.nothing')}</p>}
      <ul>
        {facts.map((fact) => (
          <li key={`${fact.at}-${fact.what}`}>
            <span className="num">{clockOf(fact.at - begun)}</span> {wordsOf(fact)}
          </li>
        ))}
      </ul>
      {delays && (
        <p>
          {t('integrity.delays', {
            from: inSeconds(delays.from),
            to: inSeconds(delays.to),
            half: inSeconds(delays.half),
          })}
        </p>
      )}
      {facts.length > 0 && (
        <>
          <h3>{t('integrity.comment')}</h3>
          {noted.comment ? (
            <q className="lines">{noted.comment}</q>
          ) : (
            <p className="soft">{t('integrity.noComment')}</p>
          )}
        </>
      )}
    </section>
  );
}

function wordsOf(fact: Shown): string {
  switch (fact.what) {
    case 'left':
      return t('integrity.left');
    case 'returned':
      return t('integrity.returned');
    case 'away':
      return t('integrity.leftFor', { time: clockOf(fact.ms) });
    case 'pasted':
      return t('integrity.pasted', { count: fact.characters });
  }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
