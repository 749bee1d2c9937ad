import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { openingOf } from '../api/openings';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { t } from '../texts';
import { Empty, Loading } from '../ui/Frame';
import { draftOf, useDrafts } from './draft';
import { Editor } from './Editor';

/** An opening is changed. A draft that is kept counts before what the server has. */
export function EditOpeningPage({ id }: { id: string }) {
  const [drafts] = useDrafts();
  const { data: opening, error } = useQuery(openingOf(id));
  const begun =
    drafts[id] ??
    (opening && {
      draft: draftOf(opening.form),
      base: { form: opening.form, version: opening.version },
      changed_at: 0,
    });
  const title = opening?.form.title || t('editor.editTitle');
  return (
    <RecruiterFrame title={t('editor.editTitle')} page="">
      <div className="head">
        <div>
          <p className="small">
            <Link href={`/openings/${id}`}>{title}</Link>
          </p>
          <h1>{t('editor.editTitle')}</h1>
          <p>{t('launch.needed')}</p>
        </div>
      </div>
      {begun ? (
        <Editor id={id} begun={begun} />
      ) : error ? (
        <Empty heading={t('openings.notLoaded')}>
          <p>{error.message}</p>
          <Link href="/openings">{t('openings.all')}</Link>
        </Empty>
      ) : (
        <Loading />
      )}
    </RecruiterFrame>
  );
}

export default EditOpeningPage;
