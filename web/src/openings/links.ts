/** Who is invited by which link, and a text to paste for each, as a CSV file. */
export function csvOf(invited: readonly Invited[], origin: string, textOf: (one: Invited, link: string) => string) {
  const rows = invited.map((one) => {
    const link = new URL(one.link, origin).href;
    return [one.name, one.email, link, textOf(one, link)];
  });
  return [['name', 'email', 'link', 'text'], ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}
