import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { InterviewRow, Opening, Report } from '../api/contract';
import { listOf, reportOf } from '../api/interviews';
import { isOver, isToDecide, nameOf, VERDICTS } from '../interviews/states';
import { LevelView } from '../report/Level';
import { t } from '../texts';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { cellsOf } from './compare';
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
  const over = page?.rows.filter(({ state, simulated }) => isOver(state) && !simulated) ?? [];
  const [chosen, setChosen] = useState<readonly string[]>();
  const ids = chosen ?? over.slice(0, AT_ONCE).map(({ id }) => id);
  const columns = over.filter(({ id }) => ids.includes(id));
  const reports = useQueries({ queries: columns.map(({ id }) => reportOf(id)) });
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
      <Cells opening={opening} columns={columns} reports={reports.map(({ data }) => data)} />
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which needs the keyboard too.
    <section className="scroll" tabIndex={0} aria-label={t('compare.caption')}>
      <div className="table side">
        <table>
          <caption className="sr">{t('compare.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('compare.criterion')}</th>
              {columns.map((row) => (
                <th scope="col" key={row.id}>
                  <Link href={`/interviews/${row.id}`}>{nameOf(row)}</Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
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
              <th scope="row">{t('compare.covered')}</th>
              {reports.map((report, index) => (
                <td key={columns[index]?.id} className="num">
                  {report?.state === 'ready'
                    ? t('report.coveredOf', { covered: report.overall.covered, of: report.overall.of })
                    : report
                      ? t('compare.noReport')
                      : ''}
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
          </tbody>
        </table>
      </div>
    </section>
  );
}

export default ComparePage;
