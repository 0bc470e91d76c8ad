import type { Settings } from '../config/index.js';
import { MasterKeyFile } from './master-key-file.js';
import { MasterKey } from '../crypto/index.js';
import type { WorkspaceKeysRepository } from './workspace-keys.repository.js';

/**
 * The master key of the settings, or else of the key file, which is made when it is not there. One that does not open
 * what is in the database stops the start: with it, secrets could neither be read nor be written.
 */
export async function loadMasterKey(settings: Settings, keys: WorkspaceKeysRepository): Promise<MasterKey> {
  const fits = async (key: MasterKey): Promise<boolean> => !(await keys.someUnderAnother(key.id));
  if (settings.masterKey) {
    const key = new MasterKey(settings.masterKey);
    if (await fits(key)) return key;
    throw new Error(mismatch('GATEHOUSE_MASTER_KEY'));
  }
  const file = new MasterKeyFile(settings.dataDirectory);
  const key = new MasterKey(await file.readOrCreate());
  if (await fits(key)) return key;
  // A rotation that was cut off after its commit.
  const staged = await file.readStaged();
  if (staged && (await fits(new MasterKey(staged)))) {
    await file.promote();
    return new MasterKey(staged);
  }
  throw new Error(mismatch(file.path));
}

function mismatch(place: string): string {
  return [
    `The secrets in this database are encrypted with another master key than the one in ${place}.`,
    'Put that key back: from a backup of the file master.key, or as GATEHOUSE_MASTER_KEY, the same for all processes.',
  ].join('\n');
}
