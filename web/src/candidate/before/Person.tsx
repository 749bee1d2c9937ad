import { t } from '../../texts';

/** A person to ask. */
export function Person({ contact }: { contact: string }) {
  return (
    <div className="human" id="person">
      <h3>{t('before.person')}</h3>
      <p className="small">{t('before.personIs')}</p>
      <p>
        <b>{contact}</b>
      </p>
    </div>
  );
}
