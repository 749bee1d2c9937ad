import type { CriterionReport, Report } from '../api/contract';
import { NEEDS } from '../openings/words';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { LevelView } from './Level';
import { LevelForm } from './LevelForm';
import { OverallLine } from './OverallLine';
import { Quote } from './Quote';

/** What the report looked for: level, reason, and the words that show it. */
export function Criteria({ report, id }: { report: Report; id?: string }) {
  const { criteria, made, overall } = report;
  return (
    <section className="card" aria-labelledby="rubric-h">
      <h2 id="rubric-h" tabIndex={-1}>
        {t('report.rubric')}
      </h2>
      {criteria.length === 0 ? (
        <p className="soft">{t('report.noCriteria')}</p>
      ) : (
        <>
          <OverallLine overall={overall} />
          {made?.by === 'model' && <p className="small soft">{t('report.checked')}</p>}
          <div className="rubs">
            {criteria.map((criterion) => (
              <CriterionView key={criterion.name} criterion={criterion} id={id} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

/** With the interview's id people can give a level: not by a shared link. */
function CriterionView({ criterion, id }: { criterion: CriterionReport; id: string | undefined }) {
  const { name, about, priority, weight, level, verdict, reason, evidence } = criterion;
  return (
    <article className="rub">
      <header>
        <h3>{name}</h3>
        <p className="meta">
          <span className="tag">{NEEDS[priority]}</span>
          <span className="num">{t('report.weight', { weight })}</span>
        </p>
        <LevelView level={level} verdict={verdict} />
        {id && <LevelForm id={id} criterion={criterion} />}
      </header>
      <div>
        {about && <p className="small soft">{t('report.looksFor', { about })}</p>}
        {reason && <p>{ofServer(reason)}</p>}
        {!reason && verdict === 'not_asked' && <p>{t('report.notAsked')}</p>}
        {!reason && verdict === 'insufficient_evidence' && <p>{t('report.insufficient')}</p>}
        {evidence.length > 0 && (
          <ul className="quotes">
            {evidence.map((one, index) => (
              <Quote key={`${index}-${one.start_ms}`} quote={one.quote} start_ms={one.start_ms} />
            ))}
          </ul>
        )}
      </div>
    </article>
  );
}
