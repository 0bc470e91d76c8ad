import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Settings } from '../../core/config/index.js';
import { MasterKey } from '../../core/crypto/index.js';
import { MasterKeyFile } from '../../core/keys/index.js';
import { type BlobStore, createBlobStore } from '../../core/storage/index.js';
import { CommandRefused } from '../command-refused.js';
import { Opener } from './sealing.js';
import { fromDirectory, unpack } from './sinks.js';
import { StoredBackup } from './stored-backup.js';

export const STREAM = '-';

export interface StoredOptions {
  keyFile: string;
  /** Its id; without one, the last of the directory. */
  backup?: string;
}

/**
 * Does `work` with a backup. What comes by standard input is kept in a temporary directory meanwhile.
 *
 * @param from a directory, or `-`: what a backup has written to its standard output
 */
export async function withBackup<T>(
  from: string,
  { keyFile, backup: id }: StoredOptions,
  work: (backup: StoredBackup) => Promise<T>,
): Promise<T> {
  if (from === keyFile) {
    throw new CommandRefused('The backup and its key are two: name a file for one of them.');
  }
  const opener = await Opener.of(keyFile);
  if (from !== STREAM) return work(await StoredBackup.open(await fromDirectory(from), opener, id));
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  try {
    const store = await createBlobStore({ kind: 'file', directory });
    await store.open();
    await unpack(process.stdin, store);
    return await work(await StoredBackup.open(store, opener, id));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The place for files that GATEHOUSE_FILES names, opened. */
export async function filesOf({ files }: Settings): Promise<BlobStore> {
  if (files.kind === 'extension') {
    throw new CommandRefused(
      `The files are kept by the extension ${files.name}, which this command does not reach. Copy them by the means of that storage.`,
    );
  }
  const store = await createBlobStore(files);
  await store.open();
  return store;
}

/** The key that a start on these settings would use; null: the first start would make one. */
export async function masterKeyOf(
  settings: Settings,
): Promise<{ id: string; key: Buffer; isKeptElsewhere: boolean } | null> {
  const key = settings.masterKey ?? (await new MasterKeyFile(settings.dataDirectory).read());
  return key && { id: new MasterKey(key).id, key, isKeptElsewhere: settings.masterKey !== null };
}
