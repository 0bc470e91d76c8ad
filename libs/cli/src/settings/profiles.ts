import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandFailure } from '../failure/command-failure.js';

/** What `gatehouse login` leaves behind. */
export interface Profile {
  url: string;
  workspace: string | null;
  environment: string | null;
  token: StoredToken;
}

/** One that was given, or one of the device flow, which renews itself. */
export type StoredToken =
  | { kind: 'given'; value: string }
  | { kind: 'signed_in'; access: string; refresh: string; expiresAt: number };

type Profiles = Record<string, Profile>;

const STALE_LOCK_MS = 30_000;

/** Of `XDG_CONFIG_HOME`, for this user alone. */
export function settingsDirectory(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'gatehouse');
}

export const profilesFile = (): string => join(settingsDirectory(), 'profiles.json');

export async function readProfile(name: string): Promise<Profile | null> {
  const profiles = await readProfiles();
  return Object.hasOwn(profiles, name) ? profiles[name]! : null;
}

/**
 * Changes a profile; null takes it away. Nobody else changes one meanwhile, so that a token that renews itself is never
 * used by two.
 */
export async function changeProfile(
  name: string,
  change: (profile: Profile | null) => Profile | null | Promise<Profile | null>,
): Promise<Profile | null> {
  await mkdir(settingsDirectory(), { recursive: true, mode: 0o700 });
  await lock();
  try {
    const { [name]: before, ...others } = await readProfiles();
    const after = await change(before ?? null);
    if (after !== (before ?? null)) await write(after === null ? others : { ...others, [name]: after });
    return after;
  } finally {
    await rm(lockFile(), { force: true });
  }
}

async function readProfiles(): Promise<Profiles> {
  try {
    const text = await readFile(profilesFile(), 'utf8');
    return JSON.parse(text) as Profiles;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandFailure(
      `${profilesFile()} cannot be read: ${(error as Error).message}.`,
      'Mend it, or delete it and run: gatehouse login',
    );
  }
}

/** Whole or not at all, and never readable by others. */
async function write(profiles: Profiles): Promise<void> {
  const part = `${profilesFile()}.${randomBytes(6).toString('hex')}`;
  const handle = await open(part, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(part, 0o600);
  await rename(part, profilesFile());
}

const lockFile = (): string => join(settingsDirectory(), 'lock');

async function lock(): Promise<void> {
  for (;;) {
    try {
      await (await open(lockFile(), 'wx', 0o600)).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const held = await stat(lockFile()).catch(() => null);
    // Left behind by a process that was killed.
    if (held && Date.now() - held.mtimeMs > STALE_LOCK_MS) await rm(lockFile(), { force: true });
    else await sleep(50);
  }
}
