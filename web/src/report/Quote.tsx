import { t } from '../texts';
import { Icon } from '../ui/Icon';
import { clockOf } from '../ui/time';
import { useHearing } from './usePlayer';

interface QuoteProps {
  quote: string;
  start_ms: number;
  /** The turn as the candidate meant it, where they put it right afterwards. */
  corrected?: string | null | undefined;
}

/** The candidate's own words, with the way to the moment when they were said. */
export function Quote({ quote, start_ms, corrected }: QuoteProps) {
  const { canHear, hear } = useHearing();
  const time = clockOf(start_ms);
  return (
    <li className="quote">
      {hear && (
        <button
          type="button"
          className="play"
          aria-label={canHear ? t('report.hearQuote', { time }) : t('report.showQuote', { time })}
          onClick={() => hear(start_ms, 'candidate')}
        >
          <Icon name={canHear ? 'play' : 'down'} />
        </button>
      )}
      <q>{quote}</q>
      <span className="meta">
        <span className="num">{time}</span>
      </span>
      {corrected && (
        <p className="small">
          {t('transcript.corrected')} <q>{corrected}</q>
        </p>
      )}
    </li>
  );
}
