import { type KeyboardEvent, useRef } from 'react';
import type { BlueprintFile, BlueprintProblem } from '../api/blueprints';
import { t } from '../texts';

interface FileTabsProps {
  files: readonly BlueprintFile[];
  open: string;
  problems: readonly BlueprintProblem[];
  onOpen: (name: string) => void;
}

/** One tab a file; arrows go from one to the next. */
export function FileTabs({ files, open, problems, onOpen }: FileTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  function go(event: KeyboardEvent) {
    const index = files.findIndex(({ name }) => name === open);
    const next = {
      ArrowRight: (index + 1) % files.length,
      ArrowLeft: (index + files.length - 1) % files.length,
      Home: 0,
      End: files.length - 1,
    }[event.key];
    const file = next === undefined ? undefined : files[next];
    if (!file) return;
    event.preventDefault();
    onOpen(file.name);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next ?? 0]?.focus();
  }
  return (
    <div className="file-tabs" role="tablist" aria-label={t('blueprints.files')} ref={list} onKeyDown={go}>
      {files.map(({ name }) => {
        const count = problems.filter(({ file }) => file === name).length;
        return (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === open}
            aria-controls="file"
            tabIndex={name === open ? 0 : -1}
            onClick={() => onOpen(name)}
          >
            {name}
            {count > 0 && (
              <>
                {' '}
                <b className="tag bad" aria-hidden="true">
                  {count}
                </b>
                <span className="sr">{t('blueprints.mistakes', { count })}</span>
              </>
            )}
          </button>
        );
      })}
    </div>
  );
}
