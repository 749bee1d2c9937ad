import { Component, type ReactNode } from 'react';
import { Refused } from './candidate/Refused';
import { t } from './texts';

/** In place of a page of which a part did not come, or that broke. */
export function NotLoaded() {
  return <Refused status={0} message={t('failed.notComplete')} />;
}

/** Says so when what it holds breaks: React would leave nothing but white. It asks for a class. */
export class Whole extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <NotLoaded /> : this.props.children;
  }
}
