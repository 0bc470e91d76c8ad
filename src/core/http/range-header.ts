/** The part of `size` bytes that a `Range` header asks for, both ends inclusive. */
export interface RequestedRange {
  start: number;
  end: number;
}

const FORM = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * What a `Range` header (RFC 9110, 14.2) means for content of `size` bytes: `null` for all of it, which is also what an
 * unreadable header, another unit or several ranges at once get; `unsatisfiable` where no byte lies in it. Express's
 * `request.range` takes the last 30 bytes of ten, and a range that ends before it begins, for unsatisfiable.
 */
export function parseRange(header: string | null, size: number): RequestedRange | 'unsatisfiable' | null {
  const match = FORM.exec(header ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

function suffix(length: number, size: number): RequestedRange | 'unsatisfiable' {
  return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}
