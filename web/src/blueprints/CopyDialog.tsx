import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { copyBlueprint } from '../api/blueprints';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Field } from '../ui/Field';
import { useFields } from '../ui/useFields';

interface CopyDialogProps {
  name: string;
  title: string;
  number: number;
  onClose: () => void;
}

/** Makes a blueprint of one's own from another one, and opens it. */
export function CopyDialog({ name, title, number, onClose }: CopyDialogProps) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const { errors, mends, trouble, summary, isSending, submit, control } = useFields({
    first: { title: '', name: `${name.slice(0, 35)}-own` },
    labels: { title: t('blueprints.title'), name: t('blueprints.name') },
    check: (field, value) =>
      value.trim() ? undefined : t(field === 'title' ? 'blueprints.noTitle' : 'blueprints.noName'),
    send: async (form) => {
      const made = await copyBlueprint(name, { number, name: form.name.trim(), title: form.title.trim() });
      await client.invalidateQueries({ queryKey: ['blueprints'] });
      go(`/blueprints/${made.name}`);
    },
  });
  return (
    <Dialog
      heading={t('blueprints.copyOf', { title })}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn" data-safe onClick={onClose}>
            {t('blueprints.cancel')}
          </button>
          <button type="submit" form="copy" className="btn primary">
            {isSending ? t('blueprints.copying') : t('blueprints.makeCopy')}
          </button>
        </>
      }
    >
      <p>{t('blueprints.copyAbout')}</p>
      <ErrorSummary mends={mends} heading={t('blueprints.notCopied')} trouble={trouble} ref={summary} />
      <form id="copy" className="stack" noValidate onSubmit={submit}>
        <Field id="title" label={t('blueprints.title')} error={errors.title}>
          {(props) => <input {...props} {...control('title')} autoComplete="off" />}
        </Field>
        <Field id="name" label={t('blueprints.name')} hint={t('blueprints.nameHint')} error={errors.name}>
          {(props) => (
            <input {...props} {...control('name')} autoComplete="off" autoCapitalize="off" spellCheck={false} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
