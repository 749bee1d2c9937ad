import { useInfiniteQuery } from '@tanstack/react-query';
import { audit } from '../api/session';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { whenOf } from '../ui/time';
import { SettingsFrame } from './SettingsFrame';

const PART = 100;
/** Whoever opened a report by a link; all others have a name of their own. */
const SHARED_LINK = 'a shared link';

/** Who did what, when. */
export function AuditPage() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => audit(pageParam, PART),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (part) => (part.length < PART ? undefined : part.at(-1)?.at),
  });
  const rows = data?.pages.flat() ?? [];
  return (
    <SettingsFrame place="audit" about={t('admin.auditAbout')}>
      {error && (
        <Notice kind="bad" icon="warn" heading={t('admin.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!data && !error && <Loading />}
      {data && rows.length === 0 && <p className="soft">{t('admin.noAudit')}</p>}
      {rows.length > 0 && (
        <div className="table cards">
          <table>
            <caption className="sr">{t('admin.audit')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('list.when')}</th>
                <th scope="col">{t('admin.who')}</th>
                <th scope="col">{t('action.what')}</th>
                <th scope="col">{t('admin.object')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ at, who, what, object, detail }, index) => (
                <tr key={`${index}-${at}`}>
                  <td data-label={t('list.when')} className="num">
                    {whenOf(at)}
                  </td>
                  <td data-label={t('admin.who')}>{who === SHARED_LINK ? ofServer(who) : who}</td>
                  <td data-label={t('action.what')}>{[what, detail].filter(Boolean).map(ofServer).join(' · ')}</td>
                  <td data-label={t('admin.object')}>
                    <code>{object}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasNextPage && (
        <p className="foot">
          <button type="button" className="btn dense" onClick={() => !isFetchingNextPage && fetchNextPage()}>
            {isFetchingNextPage ? t('loading') : t('admin.more')}
          </button>
        </p>
      )}
    </SettingsFrame>
  );
}

export default AuditPage;
