import { randomBytes } from 'node:crypto';

import { readSecretFile, SettingsReader } from '../config/index.js';
import { RotationRefused } from './rotation-refused.js';
import { MASTER_KEY_BYTES } from '../crypto/index.js';

export const NEW_KEY_VARIABLE = 'GATEHOUSE_NEW_MASTER_KEY';

/** Where a new master key may come from. Not from the command's arguments, which every user of the machine can read. */
export interface NewKeySources {
  environment: NodeJS.ProcessEnv;
  /** `-` is standard input. */
  file: string | undefined;
  /** Whether one is to be made up where none is given. */
  mayBeMade: boolean;
}

/** @throws RotationRefused, InvalidSettings */
export async function readNewMasterKey({ environment, file, mayBeMade }: NewKeySources): Promise<Buffer> {
  const text = file === undefined ? environment[NEW_KEY_VARIABLE] : await readText(file);
  const reader = new SettingsReader({ [NEW_KEY_VARIABLE]: text });
  const key = reader.base64(NEW_KEY_VARIABLE, MASTER_KEY_BYTES);
  reader.finish();
  if (key) return key;
  if (mayBeMade && file === undefined) return randomBytes(MASTER_KEY_BYTES);
  throw new RotationRefused(
    `Give the new master key, ${MASTER_KEY_BYTES} bytes in base64 as \`openssl rand -base64 ${MASTER_KEY_BYTES}\` prints: as ${NEW_KEY_VARIABLE}, or in a file that --new-key-file names (- for standard input).`,
  );
}

async function readText(file: string): Promise<string> {
  return readSecretFile(file).catch((error: Error) => {
    throw new RotationRefused(`The new master key could not be read: ${error.message}.`);
  });
}
