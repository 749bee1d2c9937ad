import { Fragment, useId } from 'react';
import { t } from '../../texts';
import { Dialog } from '../../ui/Dialog';
import { Choices, PausesChoice, TextSizes } from '../Choices';
import type { Preferences, SetPreferences } from '../preferences';
import { KEY_ACTIONS, type KeyAction, nameOf } from './keys';
import { MicrophoneChoice } from './MicrophoneChoice';
import { type PausesTold, pausesSentenceOf } from './usePauses';

interface SettingsDialogProps {
  preferences: Preferences;
  setPreferences: SetPreferences;
  pauses: PausesTold;
  onMicrophone: (deviceId: string) => void;
  onDone: () => void;
}

/** How the room is, and what its keys do. The interview goes on behind it. */
export function SettingsDialog({ preferences, setPreferences, pauses, onMicrophone, onDone }: SettingsDialogProps) {
  const keys = useId();
  return (
    <Dialog
      heading={t('roomSettings.heading')}
      onSafe={onDone}
      buttons={
        <button type="button" className="btn primary" data-safe onClick={onDone}>
          {t('roomSettings.done')}
        </button>
      }
    >
      <MicrophoneChoice onChoose={onMicrophone} />
      <PausesChoice pauses={preferences.pauses} onChoose={pauses.choose} />
      <p className="small" role="status">
        {pausesSentenceOf(pauses.state)}
      </p>
      <TextSizes preferences={preferences} setPreferences={setPreferences} />
      <div>
        <Choices of={['captions', 'time', 'singleKeys']} preferences={preferences} setPreferences={setPreferences} />
      </div>
      <h3 id={keys}>{t('roomSettings.keys')}</h3>
      <dl className="facts keymap" aria-labelledby={keys}>
        {KEY_ACTIONS.map((action) => (
          <Fragment key={action}>
            <dt>
              <kbd>{nameOf(action)}</kbd>
            </dt>
            <dd>
              {DOES[action]}
              {SAYS[action] && <span className="soft"> {SAYS[action]}</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}

const DOES: Record<KeyAction, string> = {
  repeat: t('help.repeat'),
  rephrase: t('help.rephrase'),
  more_time: t('help.moreTime'),
  skip: t('help.skip'),
  pause: t('roomSettings.pauseKey'),
  mute: t('roomSettings.muteKey'),
  type: t('roomSettings.typeKey'),
  end: t('roomSettings.endKey'),
  settings: t('roomSettings.settingsKey'),
};

/** What can be said instead. */
const SAYS: Partial<Record<KeyAction, string>> = {
  repeat: t('roomSettings.repeatSaid'),
  rephrase: t('roomSettings.rephraseSaid'),
  more_time: t('roomSettings.moreTimeSaid'),
  skip: t('roomSettings.skipSaid'),
  end: t('roomSettings.endSaid'),
};
