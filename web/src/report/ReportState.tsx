import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../api/client';
import type { Report } from '../api/contract';
import { makeReport, reportOf } from '../api/interviews';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Notice } from '../ui/Notice';

interface ReportStateProps {
  id: string;
  report: Report | undefined;
  error: Failure | null;
}

/** Says that a report is being made, or failed, and how to try again. */
export function ReportState({ id, report, error }: ReportStateProps) {
  const client = useQueryClient();
  const mayAct = useMay('recruiter');
  const making = useMutation({
    mutationFn: () => makeReport(id),
    onSuccess: (report) => client.setQueryData(reportOf(id).queryKey, report),
  });
  const again = mayAct && (
    <button type="button" className="btn dense" onClick={() => !making.isPending && making.mutate()}>
      {making.isPending ? t('about.making') : t('tryAgain')}
    </button>
  );
  if (report?.state === 'making')
    return (
      <Notice icon="info" heading={t('report.making')} told="soon">
        <p>{t('report.makingAbout')}</p>
      </Notice>
    );
  if (report?.state === 'failed')
    return (
      <Notice kind="bad" icon="warn" heading={t('report.failed')} told="now" action={again}>
        <p>{[report.trouble && ofServer(report.trouble), t('report.failedAbout')].filter(Boolean).join(' ')}</p>
        {making.error && <p>{making.error.message}</p>}
      </Notice>
    );
  if (error && !report)
    return (
      <Notice kind="bad" icon="warn" heading={t('report.notLoaded')} told="now" action={again}>
        <p>{error.message}</p>
      </Notice>
    );
  return null;
}
