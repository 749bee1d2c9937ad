import { Fragment } from 'react';
import type { Receipt } from '../api/contract';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Copy } from '../ui/Copy';
import { whenOf } from '../ui/time';

/** What a receipt says: a label and a value each. */
function factsOf(receipt: Receipt): readonly (readonly [string, string])[] {
  const asked = whenOf(receipt.asked_at);
  return [
    [t('launch.interview'), receipt.interview],
    [t('action.what'), ofServer(receipt.what)],
    [t('action.askedAt'), receipt.by_candidate ? t('action.askedByCandidate', { time: asked }) : asked],
    [t('action.removedAt'), whenOf(receipt.removed_at)],
    [t('action.doneAt'), receipt.done_at ? whenOf(receipt.done_at) : t('action.underWay')],
  ];
}

/** What is left of a deleted interview; nothing in it is about the person. */
export function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const facts = factsOf(receipt);
  return (
    <>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value === receipt.interview ? <code>{value}</code> : value}</dd>
          </Fragment>
        ))}
      </dl>
      <Copy text={facts.map(([label, value]) => `${label}: ${value}`).join('\n')} of={receipt.interview}>
        {t('action.copyReceipt')}
      </Copy>
    </>
  );
}
