/** The number of a card. */
export function Step({ n }: { n: number }) {
  return (
    <span className="n" aria-hidden="true">
      {n}
    </span>
  );
}
