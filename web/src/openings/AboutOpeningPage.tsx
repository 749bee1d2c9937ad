import { Link } from 'wouter';
import type { Opening } from '../api/contract';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { whenOf } from '../ui/time';
import { AskedParts } from './AskedParts';
import { EstimateView } from './Estimate';
import { OpeningFrame } from './OpeningFrame';
import { LABELS, NEEDS, WORDINGS } from './words';

/** What an opening's interviews are about. */
export function AboutOpeningPage({ id }: { id: string }) {
  const mayAct = useMay('recruiter');
  return (
    <OpeningFrame id={id} place="about">
      {({ form, estimate, updated_at }) => (
        <div className="split">
          <div>
            {form.job_description && (
              <section className="card">
                <h2>{LABELS.job_description}</h2>
                <p className="lines">{form.job_description}</p>
              </section>
            )}
            <section className="card">
              <h2>{LABELS.questions}</h2>
              {form.questions.length === 0 && <p className="soft">{t('opening.noQuestions')}</p>}
              {estimate ? (
                <AskedParts asked={estimate.asked} own={<OwnQuestions questions={form.questions} />} />
              ) : (
                <OwnQuestions questions={form.questions} />
              )}
            </section>
            <section className="card">
              <h2>{LABELS.criteria}</h2>
              {form.criteria.length === 0 && <p className="soft">{t('opening.noCriteria')}</p>}
              <ul className="numbered">
                {form.criteria.map(({ name, about, priority, weight }) => (
                  <li key={name}>
                    <p>
                      {name} <span className="tag">{NEEDS[priority]}</span>{' '}
                      <span className="small soft num">{t('report.weight', { weight })}</span>
                    </p>
                    {about && <p className="small soft">{about}</p>}
                  </li>
                ))}
              </ul>
            </section>
            {form.knowledge.length > 0 && (
              <section className="card">
                <h2>{LABELS.knowledge}</h2>
                <dl className="known">
                  {form.knowledge.map(({ question, answer }) => (
                    <div key={question}>
                      <dt>{question}</dt>
                      <dd>{answer}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            )}
          </div>
          <aside className="card">
            <h2>{t('launch.time')}</h2>
            {estimate ? <EstimateView estimate={estimate} /> : <p className="soft">{t('opening.noBlueprint')}</p>}
            <dl className="facts">
              <dt>{LABELS.recording}</dt>
              <dd>{form.recording ? t('changed.yes') : t('changed.no')}</dd>
              <dt>{LABELS.integrity}</dt>
              <dd>{form.integrity === 'facts' ? t('changed.yes') : t('changed.no')}</dd>
              <dt>{LABELS.link_days}</dt>
              <dd>{t('editor.days', { count: form.link_days })}</dd>
              <dt>{LABELS.attempts}</dt>
              <dd className="num">{form.attempts}</dd>
              <dt>{LABELS.retention_days}</dt>
              <dd>
                {form.retention_days === null
                  ? t('editor.untilDeleted')
                  : t('editor.daysAfter', { count: form.retention_days })}
              </dd>
              <dt>{LABELS.contact}</dt>
              <dd>{form.contact || t('changed.nothing')}</dd>
              <dt>{LABELS.next}</dt>
              <dd>{form.next || t('changed.nothing')}</dd>
              <dt>{t('openings.changedAt')}</dt>
              <dd>{whenOf(updated_at)}</dd>
            </dl>
            {mayAct && (
              <div className="acts">
                <Link className="btn" href={`/openings/${id}/edit`}>
                  {t('opening.edit')}
                </Link>
              </div>
            )}
          </aside>
        </div>
      )}
    </OpeningFrame>
  );
}

function OwnQuestions({ questions }: { questions: Opening['form']['questions'] }) {
  return (
    <ol className="numbered">
      {questions.map(({ text, wording, follow_ups }) => (
        <li key={text}>
          <p>{text}</p>
          <p className="small soft">{[WORDINGS[wording], t('opening.followUps', { count: follow_ups })].join(' · ')}</p>
        </li>
      ))}
    </ol>
  );
}

export default AboutOpeningPage;
