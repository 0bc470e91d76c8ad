import { writeFile } from 'node:fs/promises';

import type { Settings } from '../../core/config/index.js';
import { CommandRefused } from '../command-refused.js';
import { newKeyFile } from './sealing.js';

/** Makes a key file for backups. */
export async function makeBackupKey(_: Settings, file: string): Promise<string> {
  const { text, recipient } = await newKeyFile();
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandRefused(
      error.code === 'EEXIST'
        ? `${file} is there already.`
        : `${file} could not be written: ${error.message}.`,
    );
  });
  return [
    `${file} opens backups: keep it apart from them, and from this machine.`,
    `To make them, a file with its public key is enough: ${recipient}`,
  ].join('\n');
}
