import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ScriptDetail } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';
import type { Digests } from './folder-tree.js';
import { readInside } from './read-inside.js';
import { writeInside } from './write-inside.js';

/** What the command line remembers of a script's folder. Git ignores it, and no version has it. */
export const STATE_FOLDER = '.gatehouse';
const FILE = `${STATE_FOLDER}/base.json`;
/** Of a folder of as many files as a version may have, whose paths are long. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The version that a folder was last the same as, or took in. */
export interface FolderBase {
  version: number;
  /** Its files, not those of the folder. */
  digests: Digests;
  /** Files with changes of both that a person has to bring together. */
  conflicts: readonly string[];
}

interface StoredBase {
  script: string;
  version: number;
  files: Record<string, string>;
  conflicts: string[];
}

/**
 * null: the folder does not say, or what it says is of another script. It may be a stranger's, who wrote that.
 *
 * @throws WrongUse where nothing could be remembered, so before anything is changed
 */
export async function readBase(
  folder: string,
  script: Pick<ScriptDetail, 'id'> | null,
): Promise<FolderBase | null> {
  await statePath(folder);
  const stored = await readStored(folder);
  if (stored === null || stored.script !== script?.id) return null;
  const { version, files, conflicts } = stored;
  return { version, digests: new Map(Object.entries(files)), conflicts };
}

export async function writeBase(
  folder: string,
  script: Pick<ScriptDetail, 'id'>,
  { version, digests, conflicts }: FolderBase,
): Promise<void> {
  await makeStateFolder(folder);
  const stored: StoredBase = {
    script: script.id,
    version,
    files: Object.fromEntries(digests),
    conflicts: [...conflicts],
  };
  await writeInside(folder, FILE, {
    kind: 'file',
    content: Buffer.from(`${JSON.stringify(stored, null, 1)}\n`),
  });
}

async function readStored(folder: string): Promise<StoredBase | null> {
  try {
    const found = await lstat(join(folder, FILE));
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    const stored = JSON.parse((await readInside(folder, FILE)).toString('utf8')) as unknown;
    return isStored(stored) ? stored : null;
  } catch {
    // What cannot be read says as little as what is not there.
    return null;
  }
}

function isStored(value: unknown): value is StoredBase {
  const { script, version, files, conflicts } = (value ?? {}) as Partial<StoredBase>;
  return (
    typeof script === 'string' &&
    Number.isInteger(version) &&
    typeof files === 'object' &&
    files !== null &&
    Object.values(files).every((digest) => typeof digest === 'string') &&
    Array.isArray(conflicts) &&
    conflicts.every((path) => typeof path === 'string')
  );
}

async function statePath(folder: string): Promise<string> {
  const path = join(await realpath(folder), STATE_FOLDER);
  const found = await lstat(path).catch(() => null);
  if (found && !found.isDirectory()) throw new WrongUse(`${path} is no folder.`, 'Take it away.');
  return path;
}

async function makeStateFolder(folder: string): Promise<void> {
  const path = await statePath(folder);
  await mkdir(path, { recursive: true });
  // Nothing of it is committed, and nobody has to say so in their own .gitignore.
  await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
