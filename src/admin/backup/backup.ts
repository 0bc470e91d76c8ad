import type { Settings } from '../../core/config/index.js';
import { BlobMissing, type BlobStore } from '../../core/storage/index.js';
import { withDatabase } from '../application.js';
import { CommandRefused } from '../command-refused.js';
import {
  CATALOGUE,
  type Catalogue,
  keysOf,
  lostLines,
  type Manifest,
  NO_BACKUPS,
  type StoredBlob,
} from './manifest.js';
import { filesOf, masterKeyOf, STREAM } from './places.js';
import { Seal } from './sealing.js';
import { intoDirectory, intoStream, type Sink } from './sinks.js';
import { readCatalogue, readManifest } from './stored-backup.js';
import { type BackupSource, type Earlier, plainPart, takeBackup, type Taken } from './take-backup.js';

interface BackupOptions {
  keyFile: string;
  /** How many backups the directory has afterwards, at most; without it, all. */
  keep?: number;
}

/**
 * Writes a backup of the instance, which may be running.
 *
 * @param into a directory, or `-`: standard output, which is then for nothing else
 */
export async function backup(
  settings: Settings,
  into: string,
  { keyFile, keep }: BackupOptions,
): Promise<string | null> {
  const seal = await Seal.of(keyFile);
  const masterKey = await masterKeyOf(settings);
  if (masterKey === null) {
    throw new CommandRefused(
      `There is no master key in ${settings.dataDirectory}: name the data directory in GATEHOUSE_DATA, or give GATEHOUSE_MASTER_KEY.`,
    );
  }
  const { id, key, isKeptElsewhere } = masterKey;
  const files = await filesOf(settings);
  const taken = await withDatabase(settings, { alongside: true }, (databaseUrl) => {
    const source = { databaseUrl, files, masterKey: { id, key: isKeptElsewhere ? null : key } };
    return into === STREAM ? stream(source, seal) : directory(source, seal, into, keep);
  });
  await files.close();
  const said = report(taken, isKeptElsewhere);
  if (into !== STREAM) return said;
  console.error(said);
  return null;
}

async function stream(source: BackupSource, seal: Seal): Promise<Taken> {
  const sink = intoStream(process.stdout);
  const taken = await takeBackup(source, seal, sink, { catalogue: NO_BACKUPS, blobs: new Map() });
  await sink.end();
  return taken;
}

async function directory(
  source: BackupSource,
  seal: Seal,
  into: string,
  keep: number | undefined,
): Promise<Taken> {
  const sink = await intoDirectory(into);
  const before = await readCatalogue(sink.store);
  const catalogue = await withoutLeaving(sink, before);
  const taken = await takeBackup(source, seal, sink, await earlierIn(sink.store, catalogue));
  if (keep !== undefined) await keepLast(sink, taken.catalogue, keep);
  await sink.end();
  return taken;
}

/** What backups of the place have and is still there whole, as far as its size tells. */
async function earlierIn(store: BlobStore, catalogue: Catalogue): Promise<Earlier> {
  const blobs = new Map<string, StoredBlob>();
  for (const { manifest } of catalogue.backups) {
    for (const blob of (await readManifest(store, manifest)).blobs) blobs.set(blob.key, blob);
  }
  for (const blob of [...blobs.values()]) if (!(await isThere(store, blob))) blobs.delete(blob.key);
  return { catalogue, blobs };
}

async function isThere(store: BlobStore, { part }: StoredBlob): Promise<boolean> {
  try {
    return (await store.size(part.key)) === part.size;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}

/** First the catalogue without the older ones, then their parts: what it names is there at any instant. */
async function keepLast(
  sink: Sink & { store: BlobStore },
  catalogue: Catalogue,
  count: number,
): Promise<void> {
  const [dropped, kept] = [catalogue.backups.slice(0, -count), catalogue.backups.slice(-count)];
  const manifests = (of: Catalogue['backups']): Promise<Manifest[]> =>
    Promise.all(of.map(({ manifest }) => readManifest(sink.store, manifest)));
  const needed = new Set((await manifests(kept)).flatMap(keysOf));
  const parts = new Set((await manifests(dropped)).flatMap(keysOf)).difference(needed);
  const leaving = [...parts, ...dropped.map(({ manifest }) => manifest.key)];
  await plainPart(sink, CATALOGUE, { ...catalogue, backups: kept, leaving });
  await withoutLeaving(sink, { ...catalogue, backups: kept, leaving });
}

async function withoutLeaving(sink: Sink & { store: BlobStore }, catalogue: Catalogue): Promise<Catalogue> {
  if (catalogue.leaving.length === 0) return catalogue;
  await sink.store.delete(catalogue.leaving);
  const cleaned = { ...catalogue, leaving: [] };
  await plainPart(sink, CATALOGUE, cleaned);
  return cleaned;
}

function report({ manifest, added }: Taken, keyIsKeptElsewhere: boolean): string {
  const { id, tables, blobs } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `The backup ${id} is whole: ${rows} rows in ${tables.length} tables, ${blobs.length} files, ${added} of them new.`,
    ...(keyIsKeptElsewhere ? ['GATEHOUSE_MASTER_KEY is not in it: keep that apart.'] : []),
    ...lostLines(manifest),
  ].join('\n');
}
