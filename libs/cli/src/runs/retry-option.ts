import type { StartOptions } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';

/** What `--retry` says: a number of attempts, `off`, or all of it as JSON. undefined: as the version says. */
export function retryOf(text: string | undefined): StartOptions['retry'] {
  if (text === undefined) return undefined;
  if (text === 'off') return null;
  if (/^\d+$/.test(text)) return { attempts: Number(text) };
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given === 'object' && given !== null && !Array.isArray(given))
      return given as NonNullable<StartOptions['retry']>;
  } catch {
    // It is said below.
  }
  throw new WrongUse(
    `--retry has to be a number of attempts, off or JSON, not "${text}".`,
    `Such as: --retry 3, or --retry '{"attempts": 3, "delay": 5, "on": ["exit:75"]}'`,
  );
}
