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
