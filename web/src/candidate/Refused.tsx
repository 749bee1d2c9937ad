import { isRefused } from '../api/final';
import { t } from '../texts';
import { Empty, Frame } from '../ui/Frame';

/** A link that is wrong or too old, or a server that does not answer. */
export function Refused({ status, message }: { status: number; message: string }) {
  const isFinal = isRefused({ status });
  const heading = isFinal ? t('failed.badLink') : t('failed.notLoaded');
  return (
    <Frame title={heading} page="before">
      <Empty heading={heading}>
        <p>{message}</p>
        {!isFinal && (
          <button type="button" className="btn" onClick={() => location.reload()}>
            {t('tryAgain')}
          </button>
        )}
      </Empty>
    </Frame>
  );
}
