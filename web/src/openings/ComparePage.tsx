import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { InterviewRow, Opening, QuestionReport, Report } from '../api/contract';
import { listOf, reportOf } from '../api/interviews';
import { isOver, isToDecide, nameOf, shapeOf, VERDICTS, wordOf } from '../interviews/states';
import { ANSWERS } from '../report/Coverage';
import { LevelView } from '../report/Level';
import { t } from '../texts';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { answeredOf, answersOf, cellsOf, hasLevels } from './compare';
import { OpeningFrame } from './OpeningFrame';
import { NEEDS } from './words';

const AT_ONCE = 6;

/** Criteria × candidates of an opening. There is no rank: people decide by what stands in the cells. */
export function ComparePage({ id }: { id: string }) {
  return (
    <OpeningFrame id={id} place="compare">
      {(opening) => <Compared opening={opening} />}
    </OpeningFrame>
  );
}

function Compared({ opening }: { opening: Opening }) {
  const { data: page, error } = useQuery(listOf({ opening: opening.id, sort: 'name', descending: false, max: 200 }));
  const over = page?.rows.filter(({ state, simulated, trial }) => isOver(state) && !simulated && !trial) ?? [];
  const [chosen, setChosen] = useState<readonly string[]>();
  const ids = chosen ?? over.slice(0, AT_ONCE).map(({ id }) => id);
  const columns = over.filter(({ id }) => ids.includes(id));
  const reports = useQueries({ queries: columns.map(({ id }) => reportOf(id)) });
  const made = reports.map(({ data }) => data);
  const cells = <Cells opening={opening} columns={columns} reports={made} />;
  if (error)
    return (
      <Notice kind="bad" icon="warn" heading={t('list.notLoaded')} told="now">
        <p>{error.message}</p>
      </Notice>
    );
  if (!page) return <Loading />;
  if (over.length === 0)
    return (
      <div className="empty">
        <h2>{t('compare.none')}</h2>
        <p>{t('compare.noneAbout')}</p>
        <Link className="btn" href={`/openings/${opening.id}`}>
          {t('opening.candidates')}
        </Link>
      </div>
    );
  return (
    <>
      <p className="soft">{t('compare.about')}</p>
      {over.length > 1 && (
        <fieldset className="who">
          <legend className="small soft">{t('compare.who', { most: AT_ONCE })}</legend>
          {over.map((row) => {
            const isIn = ids.includes(row.id);
            return (
              <label key={row.id} className="check">
                <input
                  type="checkbox"
                  checked={isIn}
                  aria-disabled={(!isIn && ids.length >= AT_ONCE) || undefined}
                  onChange={() => {
                    if (isIn) setChosen(ids.filter((id) => id !== row.id));
                    else if (ids.length < AT_ONCE) setChosen([...ids, row.id]);
                  }}
                />
                <span>{nameOf(row)}</span>
              </label>
            );
          })}
        </fieldset>
      )}
      {hasLevels(made) ? (
        <>
          {cells}
          <h2>{t('compare.answers')}</h2>
          <Answers columns={columns} reports={made} />
        </>
      ) : (
        <>
          <h2>{t('compare.answers')}</h2>
          <Answers columns={columns} reports={made} />
          {cells}
        </>
      )}
    </>
  );
}

interface CellsProps {
  opening: Opening;
  columns: readonly InterviewRow[];
  reports: readonly (Report | undefined)[];
}

function Cells({ opening, columns, reports }: CellsProps) {
  const rows = cellsOf(opening.form.criteria, reports);
  return (
    <Table caption={t('compare.caption')} corner={t('compare.criterion')} columns={columns}>
      {rows.map(({ name, priority, cells }) => (
        <tr key={name}>
          <th scope="row">
            {name} {priority && <span className="tag">{NEEDS[priority]}</span>}
          </th>
          {cells.map((cell, index) => (
            <td key={columns[index]?.id}>
              {cell === 'loading' ? (
                <span className="ghost" />
              ) : cell ? (
                <LevelView level={cell.level} verdict={cell.verdict} />
              ) : (
                <span className="soft">{t('compare.notIn')}</span>
              )}
            </td>
          ))}
        </tr>
      ))}
      <tr>
        <th scope="row">{t('compare.questions')}</th>
        {reports.map((report, index) => (
          <td key={columns[index]?.id} className="num">
            {report && answeredOf(report)}
          </td>
        ))}
      </tr>
      <tr>
        <th scope="row">{t('compare.end')}</th>
        {columns.map((row) => (
          <td key={row.id}>
            <span className={shapeOf(row)}>{wordOf(row)}</span>
          </td>
        ))}
      </tr>
      <tr>
        <th scope="row">{t('list.decision')}</th>
        {columns.map((row) => (
          <td key={row.id}>
            {row.decision ? VERDICTS[row.decision] : isToDecide(row) ? t('list.toDecide') : t('list.nothing')}
          </td>
        ))}
      </tr>
    </Table>
  );
}

/** What each said to the same question: for that no model is needed. */
function Answers({ columns, reports }: Omit<CellsProps, 'opening'>) {
  const rows = answersOf(reports);
  if (rows.length === 0) return null;
  return (
    <Table caption={t('compare.answers')} corner={t('compare.question')} columns={columns}>
      {rows.map(({ same, text, cells }) => (
        <tr key={same}>
          <th scope="row">{text}</th>
          {cells.map((cell, index) => (
            <td key={columns[index]?.id}>
              {cell === 'loading' ? (
                <span className="ghost" />
              ) : cell ? (
                <Answer question={cell} />
              ) : (
                <span className="soft">{t('level.notAsked')}</span>
              )}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function Answer({ question: { answered, quotes } }: { question: QuestionReport }) {
  const [word, shape] = ANSWERS[answered];
  return (
    <>
      {quotes.map(({ quote, start_ms }, index) => (
        <p key={`${index}-${start_ms}`}>
          <q>{quote}</q>
        </p>
      ))}
      {answered !== 'answered' && <span className={shape}>{word}</span>}
    </>
  );
}

interface TableProps {
  caption: string;
  corner: string;
  columns: readonly InterviewRow[];
  children: ReactNode;
}

function Table({ caption, corner, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which needs the keyboard too.
    <section className="scroll" tabIndex={0} aria-label={caption}>
      <div className="table side">
        <table>
          <caption className="sr">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{corner}</th>
              {columns.map((row) => (
                <th scope="col" key={row.id}>
                  <Link href={`/interviews/${row.id}`}>{nameOf(row)}</Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}

export default ComparePage;
