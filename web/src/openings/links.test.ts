import { expect, it } from 'vitest';
import { cellOf, csvOf } from './links';

it('writes names and links as CSV that starts no formula', () => {
  expect(cellOf('Ada Lovelace')).toBe('Ada Lovelace');
  expect(cellOf('Lovelace, Ada "the first"')).toBe('"Lovelace, Ada ""the first"""');
  expect(cellOf('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
  for (const text of ['+1', '-1', '@x', '\tx']) expect(cellOf(text).replaceAll('"', '')).toBe(`'${text}`);
});

it('has a head and whole addresses', () => {
  const invited = [{ id: 'a', name: 'Ada', email: 'ada@example.org', link: '/i/tok', expires_at: 1 }];
  const text = ({ name }: { name: string }, link: string) => `Hello ${name}, here: ${link}`;
  expect(csvOf(invited, 'https://jobs.example.org', text)).toBe(
    'name,link,email,text\r\n' +
      'Ada,https://jobs.example.org/i/tok,ada@example.org,"Hello Ada, here: https://jobs.example.org/i/tok"\r\n',
  );
});
