import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Report } from '../api/contract';
import { makeReport, reportOf } from '../api/interviews';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { whenOf } from '../ui/time';

/** From what and by whom a report was made. */
export function AboutReport({ id, report: { made, header } }: { id: string; report: Report }) {
  const client = useQueryClient();
  const mayAct = useMay('recruiter');
  const making = useMutation({
    mutationFn: () => makeReport(id),
    onSuccess: (report) => client.setQueryData(reportOf(id).queryKey, report),
  });
  return (
    <section className="card" aria-labelledby="about-h">
      <h2 id="about-h" tabIndex={-1}>
        {t('about.heading')}
      </h2>
      <dl className="facts">
        <dt>{t('launch.interview')}</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>{t('editor.blueprint')}</dt>
        <dd>
          {header.title || header.blueprint} <code>{header.blueprint_hash.slice(0, 12)}</code>
        </dd>
        <dt>{t('about.engine')}</dt>
        <dd>{header.engine}</dd>
        {header.started_at !== null && (
          <>
            <dt>{t('about.time')}</dt>
            <dd>{[header.started_at, header.ended_at].flatMap((at) => (at ? whenOf(at) : [])).join(' – ')}</dd>
          </>
        )}
        {made && (
          <>
            <dt>{t('about.madeBy')}</dt>
            <dd>{made.by === 'model' ? (made.model ?? t('about.model')) : t('about.rules')}</dd>
            <dt>{t('about.madeAt')}</dt>
            <dd>{whenOf(made.made_at)}</dd>
            {made.prompt_hash && (
              <>
                <dt>{t('about.prompt')}</dt>
                <dd>
                  <code>{made.prompt_hash.slice(0, 12)}</code>
                </dd>
              </>
            )}
            {made.tokens_in !== null && made.tokens_out !== null && (
              <>
                <dt>{t('about.tokens')}</dt>
                <dd>{t('about.inOut', { read: made.tokens_in, written: made.tokens_out })}</dd>
              </>
            )}
          </>
        )}
      </dl>
      {mayAct && (
        <div className="row anew">
          <button type="button" className="btn dense" onClick={() => !making.isPending && making.mutate()}>
            {making.isPending ? t('about.making') : t('about.anew')}
          </button>
          <span className="small soft">{t('about.same')}</span>
        </div>
      )}
      {making.error && (
        <p className="error" role="alert">
          {making.error.message}
        </p>
      )}
    </section>
  );
}
