import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { freshId, live, move, numberOf, type Row, setDropped } from './order';

const WORDS = {
  question: { row: 'plan.question', within: 'plan.aQuestion', add: 'plan.addQuestion' },
  topic: { row: 'plan.topic', within: 'plan.aTopic', add: 'plan.addTopic' },
  own: { row: 'plan.question', within: 'plan.aQuestion', add: 'plan.addQuestion' },
  criterion: { row: 'editor.criterion', within: 'editor.aCriterion', add: 'editor.addCriterion' },
  known: { row: 'editor.answer', within: 'editor.anAnswer', add: 'editor.addAnswer' },
} as const;

interface RowsProps<T extends Row> {
  kind: keyof typeof WORDS;
  rows: readonly T[];
  /** How a dropped row is called. */
  titleOf: (row: T) => string;
  /** A new row. */
  blank: (id: string) => T;
  onRows: (rows: readonly T[]) => void;
  /** Has a screen reader say it. */
  say: (text: string) => void;
  /** The row's own controls; the first has the id `kind-id`, for the focus. */
  fields: (row: T, number: number) => ReactNode;
  /** How many rows there may be. */
  most?: number;
  /** What stands left of the row's buttons. */
  beside?: (row: T, number: number) => ReactNode;
}

/** A list to put in order: each row goes up or down, is dropped and taken back, and new ones are added. */
export function Rows<T extends Row>(props: RowsProps<T>) {
  const { kind, rows, titleOf, blank, onRows, say, fields, beside, most } = props;
  const focusNext = useFocusNext();
  const named = (id: string, list: readonly Row[] = rows) => t(WORDS[kind].row, { number: numberOf(list, id) });

  function moveRow(id: string, by: -1 | 1) {
    const moved = move(rows, id, by);
    if (moved === rows) return;
    onRows(moved);
    say(t('plan.movedSays', { row: named(id), to: numberOf(moved, id), of: live(moved).length }));
    focusNext(`${kind}-${id}-${by < 0 ? 'up' : 'down'}`);
  }

  function dropRow(id: string) {
    const left = setDropped(rows, id, true);
    onRows(left);
    say(t('plan.droppedSays', { row: named(id), count: live(left).length }));
    focusNext(`${kind}-${id}-undo`);
  }

  function takeBack(id: string) {
    const back = setDropped(rows, id, false);
    onRows(back);
    say(t('plan.backSays', { row: named(id, back) }));
    focusNext(`${kind}-${id}-drop`);
  }

  function add() {
    const id = freshId(rows);
    const more = [...rows, blank(id)];
    onRows(more);
    say(t('plan.addedSays', { row: named(id, more) }));
    focusNext(`${kind}-${id}`);
  }

  return (
    <>
      <ol className="asks">
        {rows.map((row) => {
          if (row.dropped)
            return (
              <Dropped key={row.id} kind={kind} id={row.id} title={titleOf(row)} onUndo={() => takeBack(row.id)} />
            );
          const number = numberOf(rows, row.id);
          return (
            <li className="ask" key={row.id}>
              {fields(row, number)}
              <div className="row">
                {beside?.(row, number)}
                <Tools
                  kind={kind}
                  id={row.id}
                  number={number}
                  of={live(rows).length}
                  onMove={(by) => moveRow(row.id, by)}
                  onDrop={() => dropRow(row.id)}
                />
              </div>
            </li>
          );
        })}
      </ol>
      {most !== undefined && live(rows).length >= most ? (
        <p className="small soft">{t('editor.full', { most })}</p>
      ) : (
        <button type="button" className="btn dense" onClick={add}>
          {t(WORDS[kind].add)}
        </button>
      )}
    </>
  );
}

interface ToolsProps {
  kind: keyof typeof WORDS;
  id: string;
  number: number;
  of: number;
  onMove: (by: -1 | 1) => void;
  onDrop: () => void;
}

/** At an end the button stays, and does nothing: the focus is on it when a row arrives there. */
function Tools({ kind, id, number, of, onMove, onDrop }: ToolsProps) {
  const row = t(WORDS[kind].within, { number });
  return (
    <div className="row tools push">
      <button
        type="button"
        id={`${kind}-${id}-up`}
        className="btn plain dense"
        aria-label={t('plan.moveUp', { row })}
        aria-disabled={number === 1 || undefined}
        onClick={() => onMove(-1)}
      >
        <Icon name="up" /> {t('plan.up')}
      </button>
      <button
        type="button"
        id={`${kind}-${id}-down`}
        className="btn plain dense"
        aria-label={t('plan.moveDown', { row })}
        aria-disabled={number === of || undefined}
        onClick={() => onMove(1)}
      >
        <Icon name="down" /> {t('plan.down')}
      </button>
      <button
        type="button"
        id={`${kind}-${id}-drop`}
        className="btn plain dense"
        aria-label={t('plan.dropRow', { row })}
        onClick={onDrop}
      >
        {t('plan.drop')}
      </button>
    </div>
  );
}

interface DroppedProps {
  kind: keyof typeof WORDS;
  id: string;
  title: string;
  onUndo: () => void;
}

/** What is left of a dropped row: it can be taken back where it was. */
function Dropped({ kind, id, title, onUndo }: DroppedProps) {
  const text = title.trim() || t('plan.noText');
  return (
    <li className="ask dropped">
      <div className="row nowrap">
        <p className="small soft">
          {t('plan.dropped')} <s>{text}</s>
        </p>
        <button
          type="button"
          id={`${kind}-${id}-undo`}
          className="btn plain dense push"
          aria-label={t('plan.undoRow', { text })}
          onClick={onUndo}
        >
          {t('plan.undo')}
        </button>
      </div>
    </li>
  );
}

/** Moves the focus to an element that is there only once the change is drawn. */
function useFocusNext() {
  const next = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (next.current) document.getElementById(next.current)?.focus();
    next.current = undefined;
  });
  return (id: string) => {
    next.current = id;
  };
}
