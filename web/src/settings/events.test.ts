import { expect, it } from 'vitest';
import { checkAddress, eventsIn, toggled } from './events';

it('an event is chosen and left out again, and an unknown one is no event', () => {
  expect(toggled('', 'report.ready')).toBe('report.ready');
  const two = toggled('report.ready', 'interview.invited');
  expect(eventsIn(two)).toEqual(['interview.invited', 'report.ready']);
  expect(toggled(two, 'report.ready')).toBe('interview.invited');
  expect(eventsIn('interview.invite report')).toEqual([]);
});

it('an address begins with http or https and names a server', () => {
  for (const good of ['https://x.example/hooks', ' http://x.example ', 'HTTPS://x.example'])
    expect(checkAddress(good), good).toBeUndefined();
  for (const bad of ['', ' ', 'x.example', 'ftp://x.example', 'https://', 'https:///x', 'javascript:alert(1)'])
    expect(checkAddress(bad), bad).toBeTypeOf('string');
});
