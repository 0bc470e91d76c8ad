import { randomFillSync } from 'node:crypto';

const POOL = new Uint8Array(4_096);
let used = POOL.length;

/**
 * Random bytes for what only has to be unique, such as ids: drawn many at a time, since a draw costs more than what is drawn.
 * Secrets are drawn each by itself.
 *
 * @returns a view that is good until the next call
 */
export function randomOctets(count: number): Uint8Array {
  if (used + count > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += count;
  return POOL.subarray(used - count, used);
}
