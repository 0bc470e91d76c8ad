import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { contextOf } from '../context.js';
import { settingsDirectory } from '../settings/profiles.js';
import type { GlobalOptions, Settings } from '../settings/settings.js';

const FRESH_MS = 5 * 60_000;

interface Kept {
  at: number;
  items: unknown;
}

/**
 * The list of the service that a command line acts in, as it was sent: asked for at most every five minutes, unless `isEnough`
 * says that what is kept is not. Where it cannot be had, what was kept before, or nothing.
 */
export async function knownCommands(
  options: GlobalOptions,
  patienceMs: number,
  isEnough: (items: unknown) => boolean,
): Promise<unknown> {
  try {
    const context = contextOf([], options);
    const file = fileOf(await context.settings());
    const kept = file === null ? null : await readKept(file);
    if (kept && Math.abs(Date.now() - kept.at) < FRESH_MS && isEnough(kept.items)) return kept.items;
    try {
      const gatehouse = await context.gatehouse();
      const items = await gatehouse.workspace.cliCommands({ retries: 0, timeoutMs: patienceMs });
      if (file !== null) await keep(file, { at: Date.now(), items });
      return items;
    } catch {
      return kept?.items ?? [];
    }
  } catch {
    // Nobody is signed in. What the command line asks for says so itself, if it needs to.
    return [];
  }
}

/** For a token of the environment nothing is kept: the next may be somebody else's. */
function fileOf({ profileName, givenToken, url, workspace }: Settings): string | null {
  if (givenToken !== null) return null;
  const place = createHash('sha256').update(JSON.stringify([profileName, url, workspace]));
  return join(settingsDirectory(), 'commands', `${place.digest('hex').slice(0, 32)}.json`);
}

async function readKept(file: string): Promise<Kept | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch {
    return null;
  }
}

async function keep(file: string, kept: Kept): Promise<void> {
  try {
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
    const part = `${file}.${randomBytes(6).toString('hex')}`;
    await writeFile(part, JSON.stringify(kept), { mode: 0o600, flag: 'wx' });
    await rename(part, file);
  } catch {
    // It is asked for again, then.
  }
}
