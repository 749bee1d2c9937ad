import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Estimate, Opening } from '../api/contract';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { ErrorSummary } from '../ui/ErrorSummary';
import { timeOf } from '../ui/time';
import { AskedParts } from './AskedParts';
import { Changed } from './Changed';
import { formOf, type KeptDraft, NEW } from './draft';
import { EstimateView } from './Estimate';
import {
  CriteriaSection,
  InterviewSection,
  JobSection,
  KnowledgeSection,
  PrivacySection,
  QuestionsSection,
  RoleSection,
} from './sections';
import { EditorFields, useEditor } from './useEditor';
import { useEstimate } from './useEstimate';

interface EditorProps {
  /** The opening's id, or `new`. */
  id: string;
  begun: KeptDraft;
}

/** The form of an opening, with the time that its interviews take beside it. */
export function Editor({ id, begun }: EditorProps) {
  const [, go] = useLocation();
  const back = id === NEW ? '/openings' : `/openings/${id}`;
  const editor = useEditor(id, begun, (opening: Opening) => go(`/openings/${opening.id}`));
  const { kept, tools, isSaving, isChanged, other } = editor;
  const { estimate, isAsking } = useEstimate(formOf(kept.draft));
  const [asksToDiscard, setAsksToDiscard] = useState(false);

  function leave() {
    editor.forget();
    go(back);
  }

  return (
    <EditorFields value={tools}>
      <ErrorSummary mends={editor.mends} heading={t('editor.notSaved')} trouble={editor.trouble} ref={editor.summary} />
      <p className="sr" role="status">
        {editor.said}
      </p>
      <form className="split launch" noValidate onSubmit={editor.submit}>
        <div>
          <RoleSection />
          <JobSection />
          <InterviewSection />
          <QuestionsSection />
          {estimate?.asked.some(({ own }) => !own) && <AlreadyAsked asked={estimate.asked} />}
          <CriteriaSection />
          <KnowledgeSection />
          <PrivacySection />
        </div>
        <aside className="card" aria-labelledby="time-h">
          <h2 id="time-h">{t('launch.time')}</h2>
          {!kept.draft.blueprint ? (
            <p className="soft">{t('launch.chooseBlueprint')}</p>
          ) : estimate ? (
            <div aria-busy={isAsking}>
              <EstimateView estimate={estimate} />
            </div>
          ) : (
            <p className="soft">{isAsking ? t('estimate.counting') : t('estimate.none')}</p>
          )}
          <div className="acts">
            <button type="submit" className="btn primary">
              {isSaving ? t('editor.saving') : id === NEW ? t('editor.make') : t('editor.save')}
            </button>
            {isChanged && kept.changed_at > 0 ? (
              <button type="button" className="btn plain" onClick={() => setAsksToDiscard(true)}>
                {t('editor.discard')}
              </button>
            ) : (
              <Link className="btn plain" href={back} onClick={editor.forget}>
                {t('editor.back')}
              </Link>
            )}
          </div>
          <p className="small soft" role="status">
            {kept.changed_at > 0 && t('editor.kept', { time: timeOf(kept.changed_at) })}
          </p>
          <p className="small soft">{id === NEW ? t('editor.next') : t('editor.nextChanged')}</p>
        </aside>
      </form>
      {other && kept.base && (
        <Changed
          base={kept.base.form}
          mine={formOf(kept.draft)}
          other={other}
          onStay={editor.stay}
          onSettle={(form) => editor.settle(other, form)}
        />
      )}
      {asksToDiscard && (
        <Dialog
          heading={t('editor.discardAsked')}
          onSafe={() => setAsksToDiscard(false)}
          buttons={
            <>
              <button type="button" className="btn primary" data-safe onClick={() => setAsksToDiscard(false)}>
                {t('editor.goOn')}
              </button>
              <button type="button" className="btn danger" onClick={leave}>
                {t('editor.discard')}
              </button>
            </>
          }
        >
          <p>{t('plan.lost')}</p>
        </Dialog>
      )}
    </EditorFields>
  );
}

/** What the interview asks beside one's own questions, so that nobody asks it twice. */
function AlreadyAsked({ asked }: Pick<Estimate, 'asked'>) {
  return (
    <section className="card" aria-labelledby="already-h">
      <h2 id="already-h">{t('editor.already')}</h2>
      <p className="small soft">{t('editor.alreadyHint')}</p>
      <AskedParts asked={asked} />
    </section>
  );
}
