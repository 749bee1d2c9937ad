import { Link } from 'wouter';
import type { InterviewRow, Sort } from '../api/contract';
import { t } from '../texts';
import { dayOf, timeOf, whenOf } from '../ui/time';
import type { Action } from './actions';
import { attemptWords } from './attempts';
import { mailShape, mailWords } from './mail';
import { RowActions } from './RowActions';
import { attentionOf, detailOf, isLive, isOver, isToDecide, nameOf, shapeOf, VERDICTS, wordOf } from './states';

export interface Order {
  sort: Sort;
  descending: boolean;
}

interface InterviewTableProps {
  rows: readonly InterviewRow[];
  caption: string;
  order?: Order;
  onSort?: (sort: Sort) => void;
  /** Whether the opening is named: not on its own page. */
  withOpening?: boolean;
  choose: (action: Action, row: InterviewRow) => void;
  isBusy?: boolean;
}

/** Interviews as a table; below 56 rem as cards. */
export function InterviewTable(props: InterviewTableProps) {
  const { rows, caption, order, onSort, withOpening = true, choose, isBusy } = props;
  const head = (sort: Sort, name: string) => (
    <Sortable sort={sort} name={name} order={order} onSort={onSort} key={sort} />
  );
  return (
    <div className="table cards" aria-busy={isBusy || undefined}>
      <table>
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {head('name', t('list.candidate'))}
            {withOpening && <th scope="col">{t('list.opening')}</th>}
            {head('state', t('list.state'))}
            {head('updated_at', t('list.when'))}
            <th scope="col">{t('list.decision')}</th>
            <th scope="col">
              <span className="sr">{t('list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={isLive(row.state) ? 'hot' : undefined}>
              <th scope="row">
                <Link href={`/interviews/${row.id}`}>{nameOf(row)}</Link>
                {row.simulated && <span className="tag">{t('simulated.tag')}</span>}
                {row.trial && <span className="tag">{t('ownTry.tag')}</span>}
                {row.email && (
                  <>
                    <br />
                    <span className="soft small mail">{row.email}</span>
                  </>
                )}
              </th>
              {withOpening && (
                <td data-label={t('list.opening')}>
                  <Of row={row} />
                </td>
              )}
              <td data-label={t('list.state')}>
                <Stands row={row} />
              </td>
              <td data-label={t('list.when')} className="num">
                {changedOf(row)}
              </td>
              <td data-label={t('list.decision')}>
                {row.decision ? (
                  VERDICTS[row.decision]
                ) : isToDecide(row) ? (
                  <b>{t('list.toDecide')}</b>
                ) : (
                  <span className="soft">{t('list.nothing')}</span>
                )}
              </td>
              <td className="r">
                <RowActions row={row} choose={choose} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Of({ row }: { row: InterviewRow }) {
  if (row.opening) return <Link href={`/openings/${row.opening}`}>{row.opening_title || row.role}</Link>;
  return (
    <div>
      {row.role || row.title}
      {row.role && (
        <>
          <br />
          <span className="small soft">{row.title}</span>
        </>
      )}
    </div>
  );
}

function Stands({ row }: { row: InterviewRow }) {
  const detail = detailOf(row, dayOf);
  const attempt = attemptWords(row);
  return (
    <div className="stst">
      <span className={shapeOf(row)}>{wordOf(row)}</span>
      {row.attention && <span className="status bad">{attentionOf(row.attention)}</span>}
      {detail && <span className="small soft detail">{detail}</span>}
      {row.appointment !== null && row.state === 'invited' && (
        <span className="small soft detail">{t('invitation.proposed', { time: whenOf(row.appointment) })}</span>
      )}
      {row.mail && !isOver(row.state) && (
        <span className={mailShape(row.mail)}>{mailWords(row.mail, dayOf(row.mail.at))}</span>
      )}
      {attempt && <span className="small soft">{attempt}</span>}
    </div>
  );
}

function changedOf(row: InterviewRow): string {
  if (isLive(row.state) && row.started_at) return t('list.began', { time: timeOf(row.started_at) });
  const minutes = row.minutes ? t('list.minutes', { count: row.minutes }) : '';
  return [whenOf(row.updated_at), minutes].filter(Boolean).join(' · ');
}

interface SortableProps {
  sort: Sort;
  name: string;
  order: Order | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

function Sortable({ sort, name, order, onSort }: SortableProps) {
  if (!order || !onSort) return <th scope="col">{name}</th>;
  const isSorted = order.sort === sort;
  const direction = order.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined}>
      <button type="button" onClick={() => onSort(sort)}>
        {name} <span aria-hidden="true">{isSorted ? (order.descending ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
}
