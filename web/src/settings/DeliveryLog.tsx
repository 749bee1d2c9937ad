import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Delivery, type DeliveryTry, deliveriesOf, sendAgain } from '../api/webhooks';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { FieldError } from '../ui/Field';
import { whenOf } from '../ui/time';
import { DELIVERY_STATES } from './events';

interface DeliveryLogProps {
  webhook: string;
  heading: string;
}

/** The last messages to a webhook, with what came of each try. */
export function DeliveryLog({ webhook, heading }: DeliveryLogProps) {
  const client = useQueryClient();
  const { data: deliveries, error } = useQuery(deliveriesOf(webhook));
  const sending = useMutation({
    mutationFn: sendAgain,
    onSettled: () => client.invalidateQueries({ queryKey: deliveriesOf(webhook).queryKey }),
  });
  return (
    <section className="card stack" aria-labelledby={`log-${webhook}`}>
      <h2 id={`log-${webhook}`} className="mail">
        {heading}
      </h2>
      {error && <p className="status warn">{error.message}</p>}
      {sending.error && <FieldError id={`again-${webhook}`} message={sending.error.message} told />}
      {deliveries?.length === 0 && <p className="soft">{t('webhooks.noMessages')}</p>}
      {deliveries && deliveries.length > 0 && (
        <ol className="history">
          {deliveries.map((delivery) => (
            <Message
              key={delivery.id}
              delivery={delivery}
              onAgain={() => !sending.isPending && sending.mutate({ webhook, id: delivery.id })}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

function Message({ delivery, onAgain }: { delivery: Delivery; onAgain: () => void }) {
  const { id, event, interview, body, state, made_at, next_at, tries } = delivery;
  const [word, shape] = DELIVERY_STATES[state];
  return (
    <li>
      <p>
        <b>{event}</b> <span className={shape}>{word}</span>{' '}
        <span className="small soft">
          {whenOf(made_at)}
          {state === 'waiting' && typeof next_at === 'number' && ` · ${t('webhooks.next', { when: whenOf(next_at) })}`}
        </span>
      </p>
      <details>
        <summary>{t('webhooks.tries', { count: tries.length })}</summary>
        <ul>
          {tries.map(({ at, status, answer }, index) => (
            <li key={`${index}-${at}`}>
              <span className="num">{whenOf(at)}</span> <b>{status ?? t('webhooks.noAnswer')}</b>{' '}
              {answer && <code className="mail">{answerOf(status, answer)}</code>}
            </li>
          ))}
        </ul>
        <p className="small soft">
          {t('admin.object')} <code>{id}</code>
        </p>
        <p className="small soft">
          {t('webhooks.body')} <code className="mail">{body}</code>
        </p>
      </details>
      <div className="row">
        <button type="button" className="btn dense" onClick={onAgain}>
          {t('webhooks.again')} <span className="sr">{event}</span>
        </button>
        {interview && <Link href={`/interviews/${interview}`}>{t('launch.interview')}</Link>}
      </div>
    </li>
  );
}

/** Without a status it is what our server says of the try; with one they are words of the other server. */
function answerOf(status: DeliveryTry['status'], answer: string): string {
  return typeof status === 'number' ? answer : ofServer(answer);
}
