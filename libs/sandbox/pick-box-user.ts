import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SandboxUnavailable } from './box.js';

/** Ids that neither distributions nor systemd give out (source: systemd's "Users, Groups, UIDs and GIDs"). */
const LARGE = { from: 0x70000000, count: 0x0ff00000 };
/** For containers that know 65,536 ids only. */
const SMALL = { from: 60578, count: 600 };

/** @param uidMap text of `/proc/self/uid_map`. @returns whether all ids of a range exist here. */
function covers(uidMap: string, { from, count }: typeof LARGE): boolean {
  return uidMap
    .trim()
    .split('\n')
    .some((line) => {
      const [inside = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
      return inside <= from && from + count <= inside + length;
    });
}

/**
 * The host's user that a slot's boxes run as, another one for each slot, so that nothing counted or owned by user
 * crosses from one to the next. @returns null when we are not root: then they run as ourselves.
 * @throws SandboxUnavailable if we are root and there is nobody else to be.
 */
export function pickBoxUser(): number | null {
  if (process.getuid?.() !== 0) return null;
  const uidMap = readFileSync('/proc/self/uid_map', 'utf8');
  const range = [LARGE, SMALL].find((candidate) => covers(uidMap, candidate));
  if (!range)
    throw new SandboxUnavailable(
      'there are too few user ids in this container to run boxes as somebody else than root',
    );
  return range.from + randomInt(range.count);
}
