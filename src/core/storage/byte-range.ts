import { BlobRangeUnsatisfiable } from './storage.errors.js';

/** Offsets in bytes, both inclusive, as in HTTP. `end` beyond the last byte is cut to it; left out, it is the last byte. */
export interface ByteRange {
  start?: number;
  end?: number;
}

/** Refuses offsets that no HTTP range could have: those are to be settled where the range is parsed. */
export function assertByteRange({ start = 0, end = start }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new TypeError(`Not a range of bytes: ${start}-${end}`);
  }
}

/** A range of so many bytes, with both ends; null: there are none at all. Throws `BlobRangeUnsatisfiable`. */
export function rangeWithin(
  size: number,
  { start = 0, end = size - 1 }: ByteRange,
): Required<ByteRange> | null {
  if (start > 0 && start >= size) throw new BlobRangeUnsatisfiable(start, size);
  return size === 0 ? null : { start, end: Math.min(end, size - 1) };
}
