import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Ids that neither distributions nor systemd give out (source: systemd's "Users, Groups, UIDs and GIDs"), and that no box
 * runs as; the second for containers that know 65,536 ids only.
 */
const RANGES = [
  { from: 0x7ff00000, count: 0x000f0000 },
  { from: 61178, count: 6 },
];

/**
 * The user that the gate's process runs as: another one for each worker.
 *
 * @returns null where we are not root, and cannot become anybody else
 */
export function pickGateUser(): number | null {
  if (process.getuid?.() !== 0) return null;
  const known = readFileSync('/proc/self/uid_map', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const range = RANGES.find(({ from, count }) =>
    known.some(([first = 0, , length = 0]) => first <= from && from + count <= first + length),
  );
  if (!range)
    throw new Error(
      'there are too few user ids in this container to run the gate as somebody else than root',
    );
  return range.from + randomInt(range.count);
}
