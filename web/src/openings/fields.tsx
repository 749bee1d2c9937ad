import type { ReactNode } from 'react';
import { charactersOf } from '../launch/plan/documents';
import { t } from '../texts';
import { Field } from '../ui/Field';
import { useFieldTools } from './useEditor';

interface TextProps {
  anchor: string;
  label: ReactNode;
  value: string;
  onText: (text: string) => void;
  hint?: string;
  optional?: boolean;
  /** How many characters it may have; shown once there is little room left. */
  most: number;
  /** How high a field of several lines is; without it the field has one. */
  rows?: number;
  list?: string;
  children?: ReactNode;
}

/** A text of the form, with its limit told before it is reached. */
export function TextField({ anchor, label, value, onText, hint, optional, most, rows, list, children }: TextProps) {
  const { errorOf, leave } = useFieldTools();
  const control = {
    value,
    onChange: ({ target }: { target: { value: string } }) => onText(target.value),
    onBlur: () => leave(anchor),
  };
  return (
    <div className="counted">
      <Field id={anchor} label={label} hint={hint} optional={optional} error={errorOf(anchor)}>
        {(props) =>
          rows ? <textarea {...props} {...control} rows={rows} /> : <input {...props} {...control} list={list} />
        }
      </Field>
      <Counter chars={charactersOf(value.trim())} most={most} />
      {children}
    </div>
  );
}

/** How many characters there are, where that is worth knowing. */
function Counter({ chars, most }: { chars: number; most: number }) {
  if (chars < most * 0.6) return null;
  return (
    <p className="small soft num counter">
      <span className="sr">{t('editor.length2')}</span>
      {t('editor.counter', { chars, most })}
    </p>
  );
}

interface ChoiceProps<T extends string | number> {
  anchor: string;
  label: ReactNode;
  value: T | null;
  /** What can be chosen, and how it is called; null as a choice is the first. */
  choices: readonly (readonly [T | null, string])[];
  onChoice: (value: T | null) => void;
  hint?: string;
  dense?: boolean;
}

/** A choice among a few. A value that is none of them stays, and can be chosen again. */
export function ChoiceField<T extends string | number>(props: ChoiceProps<T>) {
  const { anchor, label, value, choices, onChoice, hint } = props;
  const { errorOf } = useFieldTools();
  const isListed = choices.some(([choice]) => choice === value);
  const all = isListed ? choices : [...choices, [value, String(value)] as const];
  return (
    <Field id={anchor} label={label} hint={hint} error={errorOf(anchor)}>
      {(control) => (
        <select
          {...control}
          value={String(all.findIndex(([choice]) => choice === value))}
          onChange={({ target }) => onChoice(all[Number(target.value)]?.[0] ?? null)}
        >
          {all.map(([, name], index) => (
            <option key={name} value={String(index)}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  anchor: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
  label: string;
  hint: string;
  /** Why it cannot be ticked here, if it cannot. */
  unable?: string | undefined;
}

export function CheckField({ anchor, checked, onCheck, label, hint, unable }: CheckProps) {
  // What is ticked already can be taken out.
  const isOff = Boolean(unable) && !checked;
  return (
    <label className={isOff ? 'check off' : 'check'} htmlFor={anchor}>
      <input
        id={anchor}
        type="checkbox"
        checked={checked}
        aria-disabled={isOff || undefined}
        onChange={({ target }) => !isOff && onCheck(target.checked)}
      />
      <span>
        <b>{label}</b>
        <span className="hint">{unable ?? hint}</span>
      </span>
    </label>
  );
}
