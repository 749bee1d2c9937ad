/** An e-mail address, or a phone number as a form keeps it, that is read back within a question. */
const VALUE = /[^\s@]+@[^\s@]+\.[\p{L}\p{M}\d-]+|\+?\b\d{6,15}\b(?: ext\. \d+)?/u;

/** A question in three parts: what stands before a value that is read back, the value, and the rest. */
export function aroundValue(question: string): { before: string; value: string; after: string } | undefined {
  const found = VALUE.exec(question);
  if (!found) return undefined;
  const [value] = found;
  const end = found.index + value.length;
  return { before: question.slice(0, found.index), value, after: question.slice(end) };
}
