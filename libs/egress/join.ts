import type { Duplex } from 'node:stream';

/** What the one says goes to the other, as fast as that takes it. The end of either is that of both. */
export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}
