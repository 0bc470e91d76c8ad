import type { Settings } from '../../core/config/index.js';
import { MasterKey } from '../../core/crypto/index.js';
import { MasterKeyFile } from '../../core/keys/index.js';

/** As the processes have it, without asking the database. null: there is none yet. */
export async function presentKey({ masterKey, dataDirectory }: Settings): Promise<MasterKey | null> {
  const key = masterKey ?? (await new MasterKeyFile(dataDirectory).read());
  return key && new MasterKey(key);
}
