import type { Gatehouse, ScriptDetail, ScriptVersion } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';

/** The version that is named, or the newest. */
export async function wantedVersion(
  gatehouse: Gatehouse,
  { slug, lastVersion }: ScriptDetail,
  wanted: string | undefined,
): Promise<ScriptVersion> {
  const number = wanted === undefined ? lastVersion : Number(wanted);
  if (!Number.isInteger(number) || number < 0) throw new WrongUse(`"${wanted}" is no version.`);
  if (number === 0) throw new WrongUse(`${slug} has no version yet.`, 'Make one: gatehouse push');
  return gatehouse.versions.get(slug, number);
}
