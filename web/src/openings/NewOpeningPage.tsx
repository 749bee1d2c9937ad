import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { OpeningForm } from '../api/contract';
import { templates } from '../api/openings';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Notice } from '../ui/Notice';
import { draftOf, EMPTY, type KeptDraft, NEW, useDrafts } from './draft';
import { Editor } from './Editor';

/** U02: a new opening, from a template or from nothing. */
export function NewOpeningPage() {
  const [drafts, setDrafts] = useDrafts();
  const begun = drafts[NEW];
  const begin = (form: OpeningForm) => {
    const draft: KeptDraft = { draft: draftOf(form), base: null, changed_at: 0 };
    setDrafts((drafts) => ({ ...drafts, [NEW]: draft }));
    scrollTo({ top: 0 });
  };
  return (
    <RecruiterFrame title={t('editor.newTitle')} page="">
      <div className="head">
        <div>
          <p className="small">
            <Link href="/openings">{t('frame.openings')}</Link>
          </p>
          <h1>{t('editor.newTitle')}</h1>
          <p>{begun ? t('launch.needed') : t('editor.beginWith')}</p>
        </div>
      </div>
      {begun ? <Editor id={NEW} begun={begun} /> : <Templates onChoose={begin} />}
    </RecruiterFrame>
  );
}

function Templates({ onChoose }: { onChoose: (form: OpeningForm) => void }) {
  const { data, error } = useQuery(templates);
  return (
    <>
      {error && (
        <Notice kind="bad" icon="warn" heading={t('editor.noTemplates')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      <ul className="tiles" aria-busy={!data && !error}>
        {data?.map(({ name, title, about, form }) => (
          <li key={name} className="card tile">
            <h2>{ofServer(title)}</h2>
            <p className="soft">{ofServer(about)}</p>
            <p className="small soft">
              {t('editor.templateHolds', { questions: form.questions.length, criteria: form.criteria.length })}
            </p>
            <button type="button" className="btn" onClick={() => onChoose(form)}>
              {t('editor.beginWithThis')} <span className="sr">{ofServer(title)}</span>
            </button>
          </li>
        ))}
        <li className="card tile">
          <h2>{t('editor.fromNothing')}</h2>
          <p className="soft">{t('editor.fromNothingAbout')}</p>
          <button type="button" className="btn" onClick={() => onChoose(EMPTY)}>
            {t('editor.beginEmpty')}
          </button>
        </li>
      </ul>
    </>
  );
}

export default NewOpeningPage;
