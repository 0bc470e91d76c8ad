import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownName, parseOwner, stateOf } from './ownership.js';
import { removeTree } from './tree-removal.js';

const PREFIX = 'sandbox-state-';

/** Makes a directory in `parent` for the files of one sandbox, and removes those that killed workers have left there. */
export async function openStateDirectory(parent: string): Promise<string> {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const owner = name.startsWith(PREFIX) ? parseOwner(name.slice(PREFIX.length)) : null;
    if (owner && stateOf(owner) === 'gone') await removeTree(join(parent, name));
  }
  return mkdtempSync(join(parent, `${PREFIX}${ownName()}-`));
}
