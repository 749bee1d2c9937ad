import { useQuery } from '@tanstack/react-query';
import type { Cost } from '../api/contract';
import { costOf } from '../api/interviews';
import { locale, t } from '../texts';

type Item = Cost['items'][number];

const PURPOSES: Record<Item['purpose'], string> = {
  interview: t('cost.interview'),
  plan: t('cost.plan'),
  summary: t('cost.summary'),
  report: t('cost.report'),
  practice: t('cost.practice'),
};

/** What an interview has used of each provider, and what that costs. */
export function CostCard({ id, reportIs }: { id: string; reportIs: string }) {
  const { data } = useQuery(costOf(id, reportIs));
  if (!data || data.items.length === 0) return null;
  return (
    <section className="card" aria-labelledby="cost-h">
      <h2 id="cost-h" tabIndex={-1}>
        {t('cost.heading')}
      </h2>
      <p>{sumOf(data)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which needs the keyboard too. */}
      <section className="scroll" tabIndex={0} aria-label={t('cost.caption')}>
        <div className="table">
          <table>
            <caption className="sr">{t('cost.caption')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('cost.purpose')}</th>
                <th scope="col">{t('cost.provider')}</th>
                <th scope="col">{t('cost.used')}</th>
                <th scope="col">{t('cost.price')}</th>
                <th scope="col" className="r">
                  {t('cost.cost')}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((item) => (
                <tr key={[item.purpose, item.work, item.provider, item.vendor?.model].join(' ')}>
                  <th scope="row">{PURPOSES[item.purpose]}</th>
                  <td>
                    {item.provider} {item.vendor && <code>{item.vendor.model}</code>}
                  </td>
                  <td className="num">{usedOf(item)}</td>
                  <td>{priceOf(item, data.currency)}</td>
                  <td className="r num">{costIn(item, data.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <p className="small soft">{t('cost.about')}</p>
    </section>
  );
}

function sumOf({ total, currency, unpriced, items }: Cost): string {
  if (items.every((item) => !item.vendor)) return t('cost.nobody');
  const sum = t('cost.sum', { sum: inMoney(total, currency) });
  return unpriced > 0 ? `${sum} ${t('cost.unpriced', { count: unpriced })}` : sum;
}

/** How much was used, in the units that there are. */
function usedOf({ used }: Item): string {
  const parts: string[] = [];
  if (used.input_tokens + used.output_tokens > 0) {
    parts.push(t('cost.tokens', { read: used.input_tokens, written: used.output_tokens }));
  }
  if (used.estimated_calls > 0) parts.push(t('cost.estimated', { count: used.estimated_calls }));
  if (used.heard_ms > 0) parts.push(t('cost.minutes', { minutes: Math.round(used.heard_ms / 6000) / 10 }));
  if (used.characters > 0) parts.push(t('cost.characters', { characters: used.characters }));
  return parts.join(', ') || '–';
}

function priceOf({ vendor, price }: Item, currency: string): string {
  if (!vendor) return t('cost.here');
  if (!price) return t('cost.unknown');
  const rates = price.rates.map(({ unit, price: rate }) => `${inMoney(rate, currency)} ${unitOf(unit)}`);
  return `${rates.join(', ')} (${price.source}, ${price.date})`;
}

function unitOf(unit: string): string {
  switch (unit) {
    case 'per_million_input_tokens':
      return t('cost.perInput');
    case 'per_million_cached_tokens':
      return t('cost.perCached');
    case 'per_million_output_tokens':
      return t('cost.perOutput');
    case 'per_minute':
      return t('cost.perMinute');
    default:
      return t('cost.perCharacters');
  }
}

function costIn({ cost, vendor }: Item, currency: string): string {
  if (cost !== null && cost !== undefined) return inMoney(cost, currency);
  return vendor ? t('cost.unknown') : '–';
}

function inMoney(amount: number, currency: string): string {
  return `${new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(amount)} ${currency}`;
}
