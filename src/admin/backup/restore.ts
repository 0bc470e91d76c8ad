import type { Settings } from '../../core/config/index.js';
import { loadDatabase } from '../../core/copies/index.js';
import { loadExtensions } from '../../core/extensions/index.js';
import { MasterKeyFile } from '../../core/keys/index.js';
import type { BlobStore } from '../../core/storage/index.js';
import { withDatabase } from '../application.js';
import { CommandRefused } from '../command-refused.js';
import { lostLines } from './manifest.js';
import { filesOf, masterKeyOf, type StoredOptions, withBackup } from './places.js';
import type { StoredBackup } from './stored-backup.js';

const FILES_AT_ONCE = 4;

/** Makes the place of the settings, which is empty, what a backup was made of. It does nothing by itself until `resume`. */
export function restore(settings: Settings, from: string, options: StoredOptions): Promise<string> {
  return withBackup(from, options, async (backup) => {
    const newKey = await keyToWrite(settings, backup);
    const files = await filesOf(settings);
    const extensions = await loadExtensions(settings, process.env);
    const before = async (): Promise<void> => {
      await restoreFiles(backup, files);
      if (newKey) await writeKey(settings, newKey);
    };
    const rows = await withDatabase(settings, { alongside: false }, (url) =>
      loadDatabase(url, backup, { extensions, before }),
    );
    await files.close();
    return report(backup, rows);
  });
}

/** The backup's master key, where the place has none. */
async function keyToWrite(settings: Settings, backup: StoredBackup): Promise<Buffer | null> {
  const { id } = backup.manifest.masterKey;
  const own = await masterKeyOf(settings);
  if (own?.id === id) return null;
  if (own) {
    const where = own.isKeptElsewhere
      ? 'GATEHOUSE_MASTER_KEY'
      : `The master key in ${settings.dataDirectory}`;
    throw new CommandRefused(
      `${where} is another one than the backup's secrets need. Give that one, or none where the backup has it.`,
    );
  }
  const key = await backup.masterKey();
  if (key === null) {
    throw new CommandRefused(
      'The master key is not in the backup, as it was kept elsewhere. Give it as GATEHOUSE_MASTER_KEY.',
    );
  }
  return key;
}

async function writeKey({ dataDirectory }: Settings, key: Buffer): Promise<void> {
  const file = new MasterKeyFile(dataDirectory);
  await file.stage(key);
  await file.promote();
}

async function restoreFiles(backup: StoredBackup, files: BlobStore): Promise<void> {
  const waiting = backup.manifest.blobs.values();
  const write = async (): Promise<void> => {
    for (const blob of waiting) {
      await files.write(blob.key, await backup.blob(blob), { maxBytes: Number.MAX_SAFE_INTEGER });
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, write));
}

function report({ manifest }: StoredBackup, rows: number): string {
  const { id, takenAt, blobs, tables } = manifest;
  return [
    `The backup ${id} of ${takenAt} is restored: ${rows} rows in ${tables.length} tables, ${blobs.length} files.`,
    ...lostLines(manifest),
    'It fires no schedules and triggers, sends no webhooks and mails and starts no runs until you say so:',
    'npm run admin -- resume',
  ].join('\n');
}
