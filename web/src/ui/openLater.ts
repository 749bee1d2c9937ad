import { t } from '../texts';

/**
 * Opens a tab now, while the press that asks for it lasts, and fills it once its address is known. A browser that lets no tab
 * open is told of, with the address.
 */
export async function openLater(addressOf: () => Promise<string>): Promise<void> {
  const tab = window.open('about:blank', '_blank');
  try {
    const whole = new URL(await addressOf(), location.origin).href;
    if (!tab) throw new Error(t('openLater.refused', { address: whole }));
    tab.opener = null;
    tab.location.href = whole;
  } catch (why) {
    tab?.close();
    throw why;
  }
}
