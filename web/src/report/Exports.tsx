import { type ExportKind, exportOf } from '../api/interviews';
import { t } from '../texts';
import { Menu, MenuItem, MenuLink } from '../ui/Menu';

const KINDS: readonly (readonly [ExportKind, string])[] = [
  ['json', t('export.json')],
  ['csv', t('export.csv')],
  ['md', t('export.md')],
  ['vtt', t('export.vtt')],
];

/** The interview as a file, or on paper. */
export function Exports({ id }: { id: string }) {
  return (
    <Menu button={t('export.heading')} className="btn dense">
      {KINDS.map(([kind, word]) => (
        <MenuLink key={kind} href={exportOf(id, kind)}>
          {word}
        </MenuLink>
      ))}
      <MenuItem onDo={() => setTimeout(print)}>{t('export.print')}</MenuItem>
    </Menu>
  );
}
