import { t } from '../../texts';
import { Icon, type IconName } from '../../ui/Icon';
import { Key } from '../../ui/Key';
import { type Help, type HelpRequest, helpSentenceOf, isOffered } from './help';
import { type KeyAction, nameOf } from './keys';

const BUTTONS: readonly { request: HelpRequest & KeyAction; icon: IconName; word: string }[] = [
  { request: 'repeat', icon: 'repeat', word: t('help.repeat') },
  { request: 'rephrase', icon: 'rephrase', word: t('help.rephrase') },
  { request: 'more_time', icon: 'clock', word: t('help.moreTime') },
  { request: 'skip', icon: 'skip', word: t('help.skip') },
];

interface HelpButtonsProps {
  help: Help;
  /** `vivavoce.help`: what can be asked for. */
  offered: string | undefined;
  /** Whether there is time to think: nobody goes on before the candidate does. */
  isHeld: boolean;
  /** Whether the keys beside the words work. */
  withKeys: boolean;
  onPress: (request: HelpRequest & KeyAction) => void;
}

/** Help with the question. A press is told of at once by the button, and by a word below it. */
export function HelpButtons({ help, offered, isHeld, withKeys, onPress }: HelpButtonsProps) {
  const { asked } = help;
  const isPressed = (request: HelpRequest) =>
    (asked?.request === request && (asked.state === 'sent' || asked.state === 'accepted')) ||
    (request === 'more_time' && isHeld);
  return (
    <fieldset className="help">
      <legend className="sr">{t('help.heading')}</legend>
      {BUTTONS.filter(({ request }) => isOffered(request, offered)).map(({ request, icon, word }) => (
        <button
          type="button"
          className="btn"
          key={request}
          data-request={request}
          aria-pressed={isPressed(request)}
          onClick={() => onPress(request)}
        >
          <Icon name={icon} />
          <span>{word}</span>
          {withKeys && <Key name={nameOf(request)} />}
        </button>
      ))}
    </fieldset>
  );
}

/** What came of the last press. A screen reader is told of it elsewhere. */
export function HelpWord({ help: { asked }, interviewer }: { help: Help; interviewer: string }) {
  if (!asked) return null;
  const isAmiss = asked.state === 'refused' || asked.state === 'unanswered' || asked.state === 'absent';
  return (
    <p className={isAmiss ? 'status warn came-of' : 'soft came-of'} data-came-of={asked.state} data-press={asked.id}>
      {helpSentenceOf(asked, interviewer)}
    </p>
  );
}
