import { useState } from 'react';
import { Link } from 'wouter';
import type { InterviewRow } from '../api/contract';
import { useMay, useSession } from '../frame/SignedIn';
import { t } from '../texts';
import { Menu, MenuItem } from '../ui/Menu';
import { ActionDialog } from './ActionDialogs';
import { type Action, actionsOf, greyedOf } from './actions';
import { isOver, nameOf } from './states';

const WORDS: Record<Action, string> = {
  listen: t('action.listen'),
  note: t('action.note'),
  end: t('action.end'),
  link: t('action.link'),
  cancel: t('action.cancel'),
  again: t('action.again'),
  delete: t('action.delete'),
};

const DANGEROUS: readonly Action[] = ['end', 'cancel', 'delete'];

/** What is being done about which interview. */
export interface Doing {
  action: Action;
  row: InterviewRow;
}

/** Which action was chosen, and which interview is listened to. */
export function useDoing() {
  const [doing, setDoing] = useState<Doing>();
  const [heard, setHeard] = useState<InterviewRow>();

  function choose(action: Action, row: InterviewRow) {
    setDoing({ action, row });
  }

  return { doing, heard, choose, close: () => setDoing(undefined), hear: setHeard };
}

/** The dialog of what was chosen. */
export function DoingDialog({
  doing: { doing, close, hear },
  onDeleted,
}: {
  doing: ReturnType<typeof useDoing>;
  onDeleted?: () => void;
}) {
  if (!doing) return null;
  return (
    <ActionDialog
      key={`${doing.action}-${doing.row.id}`}
      {...doing}
      onClose={close}
      onDeleted={onDeleted}
      onListen={() => {
        hear(doing.row);
        close();
      }}
    />
  );
}

interface RowActionsProps {
  row: InterviewRow;
  choose: (action: Action, row: InterviewRow) => void;
  /** Whether the way to the interview's page is among them. */
  withPage?: boolean;
}

/** The likeliest action as a button, the others in a menu. */
export function RowActions({ row, choose, withPage = true }: RowActionsProps) {
  const mayAct = useMay('recruiter');
  const { real_model } = useSession();
  const name = nameOf(row);
  const [first, ...others] = mayAct ? actionsOf(row, real_model) : [];
  const greyed = mayAct ? greyedOf(row, real_model) : [];
  const over = isOver(row.state);
  const showsPage = withPage && over;
  const inMenu = over && first ? [first, ...others] : others;
  return (
    <div className="row acts2">
      {showsPage ? (
        <Link className="btn dense" href={`/interviews/${row.id}`}>
          {t('action.report')}
          <span className="sr">{t('action.of', { name })}</span>
        </Link>
      ) : (
        first &&
        !over && (
          <button type="button" className="btn dense" onClick={() => choose(first, row)}>
            {WORDS[first]}
            <span className="sr">{t('action.of', { name })}</span>
          </button>
        )
      )}
      {inMenu.length + greyed.length > 0 && (
        <Menu button={t('action.dots')} label={t('action.more', { name })}>
          {inMenu.map((action) => (
            <MenuItem key={action} onDo={() => choose(action, row)} danger={DANGEROUS.includes(action)}>
              {WORDS[action]}
            </MenuItem>
          ))}
          {greyed.map((action) => (
            <MenuItem key={action} why={t('action.needsModel')}>
              {WORDS[action]}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}
