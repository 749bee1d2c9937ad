import { useInfiniteQuery } from '@tanstack/react-query';
import { receipts } from '../api/interviews';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { t } from '../texts';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { ReceiptFacts } from './ReceiptFacts';

const PART = 50;

/** What is left of deleted interviews: a receipt each, to be shown to whoever asks. */
export function ReceiptsPage() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['receipts'],
    queryFn: ({ pageParam }) => receipts(pageParam, PART),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (part) => (part.length < PART ? undefined : part.at(-1)?.removed_at),
  });
  const all = data?.pages.flat() ?? [];
  return (
    <RecruiterFrame title={t('receipts.receipts')} page="">
      <div className="head">
        <div>
          <h1>{t('receipts.receipts')}</h1>
          <p>{t('receipts.about')}</p>
        </div>
      </div>
      {error && (
        <Notice kind="bad" icon="warn" heading={t('admin.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!data && !error && <Loading />}
      {data && all.length === 0 && <p className="soft">{t('receipts.none')}</p>}
      {all.map((receipt) => (
        <section key={receipt.interview} className="card stack" aria-label={receipt.interview}>
          <ReceiptFacts receipt={receipt} />
        </section>
      ))}
      {hasNextPage && (
        <p className="foot">
          <button type="button" className="btn dense" onClick={() => !isFetchingNextPage && fetchNextPage()}>
            {isFetchingNextPage ? t('loading') : t('admin.more')}
          </button>
        </p>
      )}
    </RecruiterFrame>
  );
}

export default ReceiptsPage;
