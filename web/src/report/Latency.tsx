import { useQuery } from '@tanstack/react-query';
import type { LatencySheet, Report } from '../api/contract';
import { latencyOf } from '../api/interviews';
import { locale, t } from '../texts';
import { type Hops, hopsOf, restOf } from './latency';

const STEPS = [
  ['decided', t('latency.decided'), 'var(--hop-1)'],
  ['worded', t('latency.worded'), 'var(--hop-3)'],
  ['heard', t('latency.heard'), 'var(--hop-5)'],
] as const;

const PARTS: Record<LatencySheet['parts'][number]['part'], string> = {
  end_of_turn: t('sheet.end_of_turn'),
  first_words: t('sheet.first_words'),
  first_sound: t('sheet.first_sound'),
};

/** How long the candidate waited for each reply, split by step. */
export function Latency({ id, report }: { id: string; report: Report }) {
  const { count, half_ms, slow, slow_ms, bar_ms } = report.figures.replies;
  const hops = hopsOf(report.timeline.latency);
  if (count === 0) return null;
  const times = { half: secondsOf(half_ms), slow: secondsOf(slow_ms) };
  return (
    <section className="card" aria-labelledby="latency-h">
      <h2 id="latency-h" tabIndex={-1}>
        {t('latency.heading')}
      </h2>
      <p>{slow === 'slowest' ? t('latency.sum', times) : t('latency.sumOf100', times)}</p>
      <p className="keyrow small">
        {STEPS.map(([step, word, hue]) => (
          <span className="key" key={step} style={{ '--c': hue }}>
            {word}
          </span>
        ))}
      </p>
      <Sheet id={id} />
      <details>
        <summary>{t('latency.byTurn', { count })}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which needs the keyboard too. */}
        <section className="scroll" tabIndex={0} aria-label={t('latency.caption')}>
          <div className="table lat">
            <table>
              <caption className="sr">{t('latency.caption')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('latency.turn')}</th>
                  <th scope="col" className="r">
                    {t('latency.total')}
                  </th>
                  <th scope="col">{t('latency.steps')}</th>
                </tr>
              </thead>
              <tbody>
                {hops.map((hop) => (
                  <tr key={hop.turn}>
                    <th scope="row" className="num">
                      {hop.turn}
                    </th>
                    <td className="r num">{t('latency.ms', { ms: hop.total })}</td>
                    <td className="w">
                      <div className="bar" role="img" aria-label={wordsOf(hop)}>
                        {STEPS.map(([step, , hue]) => (
                          <i key={step} style={{ '--w': hop[step] ?? 0, '--c': hue }} />
                        ))}
                        <i style={{ '--w': restOf(hop.total, bar_ms), '--c': 'transparent' }} />
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      </details>
    </section>
  );
}

/** The parts of a usual and of a slow reply, with the settings that cause them. */
function Sheet({ id }: { id: string }) {
  const { data } = useQuery(latencyOf(id));
  if (!data || data.replies === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which needs the keyboard too.
    <section className="scroll" tabIndex={0} aria-label={t('sheet.caption')}>
      <div className="table">
        <table>
          <caption className="sr">{t('sheet.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('sheet.part')}</th>
              <th scope="col" className="r">
                {t('sheet.half')}
              </th>
              <th scope="col" className="r">
                {t('sheet.most')}
              </th>
              <th scope="col">{t('sheet.settings')}</th>
            </tr>
          </thead>
          <tbody>
            {data.parts.map(({ part, half_ms, most_ms, settings }) => (
              <tr key={part}>
                <th scope="row">{PARTS[part]}</th>
                <td className="r num">{t('latency.ms', { ms: half_ms })}</td>
                <td className="r num">{t('latency.ms', { ms: most_ms })}</td>
                <td>
                  <code>{settings.join(', ')}</code>
                </td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t('latency.total')}</th>
              <td className="r num">{t('latency.ms', { ms: data.half_ms })}</td>
              <td className="r num">{t('latency.ms', { ms: data.most_ms })}</td>
              <td />
            </tr>
          </tbody>
        </table>
      </div>
    </section>
  );
}

function secondsOf(ms: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }).format(ms / 1000);
}

function wordsOf(hop: Hops): string {
  return STEPS.flatMap(([step, word]) => {
    const ms = hop[step];
    return ms === null ? [] : t('latency.step', { word, ms });
  }).join(', ');
}
