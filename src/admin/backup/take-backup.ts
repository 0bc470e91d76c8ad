import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

import { VERSION } from '../../core/config/index.js';
import { DatabaseSnapshot } from '../../core/copies/index.js';
import { BlobMissing, type BlobStore, ByteMeter } from '../../core/storage/index.js';
import { FILE_PRUNER } from '../../files/index.js';
import { CommandRefused } from '../command-refused.js';
import { BLOB_KEYS, MASTER_KEY_IDS } from './backup.sql.js';
import { CATALOGUE, type Catalogue, type Manifest, type StoredBlob, type StoredTable } from './manifest.js';
import type { Part } from './manifest.js';
import type { Seal } from './sealing.js';
import type { Sink } from './sinks.js';

/** Rows of processes, which are no more where the backup is restored. */
export const OF_PROCESSES = ['instances'];
/** Rows compress well, and the fastest level keeps up with the database. */
const GZIP = { level: 1 };
const MANIFEST = 'manifest';
const MASTER_KEY = 'master-key';

export interface BackupSource {
  databaseUrl: string;
  files: BlobStore;
  /** The key itself is null where the operator keeps it elsewhere. */
  masterKey: { id: string; key: Buffer | null };
}

export interface Earlier {
  catalogue: Catalogue;
  /** What the place has of files already. */
  blobs: ReadonlyMap<string, StoredBlob>;
}

export interface Taken {
  manifest: Manifest;
  catalogue: Catalogue;
  /** How many files were not in the backup before. */
  added: number;
}

/**
 * Writes a backup of what is there now. First the rows of one moment, then the bytes that they name, which nobody deletes
 * meanwhile; last the catalogue. Cut off at any instant, the place has the backups that it had.
 */
export async function takeBackup(
  source: BackupSource,
  seal: Seal,
  sink: Sink,
  earlier: Earlier,
): Promise<Taken> {
  const writer = new PartWriter(seal, sink);
  const snapshot = await DatabaseSnapshot.open(source.databaseUrl, {
    without: OF_PROCESSES,
    holding: FILE_PRUNER,
  });
  const takenAt = snapshot.takenAt.toISOString();
  const id = `${takenAt.replace(/[-:]|\..*/g, '').toLowerCase()}-${randomBytes(3).toString('hex')}`;
  const keyOf = (name: string): string => `backups/${id}/${name}`;
  try {
    await assertKeyFits(snapshot, source.masterKey.id);
    const own = [...snapshot.tables.map((_, at) => keyOf(`table-${at}`)), keyOf(MASTER_KEY), keyOf(MANIFEST)];
    const { backups, leaving } = earlier.catalogue;
    await plainPart(sink, CATALOGUE, { ...earlier.catalogue, leaving: [...leaving, ...own] });
    const tables: StoredTable[] = [];
    for (const [at, table] of snapshot.tables.entries()) {
      tables.push(await writer.table(keyOf(`table-${at}`), table, snapshot));
    }
    const keys = await snapshot.column(BLOB_KEYS);
    await snapshot.release();
    const { blobs, lost, added } = await writer.blobs(keys, source.files, earlier.blobs);
    const { id: keyId, key } = source.masterKey;
    const keyPart = key && (await writer.part(keyOf(MASTER_KEY), Readable.from([key])));
    const { carriedOut, sequences } = snapshot;
    const manifest: Manifest = {
      ...{ format: 1, id, takenAt, version: VERSION, masterKey: { id: keyId, part: keyPart } },
      ...{ carriedOut, tables, sequences, blobs, lost },
    };
    const part = await plainPart(sink, keyOf(MANIFEST), manifest);
    // Otherwise bytes may have been deleted that were read late.
    await snapshot.assertHeld();
    const catalogue: Catalogue = {
      format: 1,
      backups: [...backups, { id, takenAt, manifest: part }],
      leaving,
    };
    await plainPart(sink, CATALOGUE, catalogue);
    return { manifest, catalogue, added };
  } finally {
    await snapshot.close();
  }
}

async function assertKeyFits(snapshot: DatabaseSnapshot, id: string): Promise<void> {
  const ids = await snapshot.column(MASTER_KEY_IDS);
  if (ids.every((each) => each === id)) return;
  throw new CommandRefused(
    'The secrets in the database are sealed by another master key than the one at hand: a backup would be of no use.',
  );
}

/** What is not sealed: names, sizes and numbers, and nothing of what they are of. */
export async function plainPart(sink: Sink, key: string, value: Manifest | Catalogue): Promise<Part> {
  return { key, ...(await sink.write(key, Readable.from([Buffer.from(JSON.stringify(value))]))) };
}

class PartWriter {
  constructor(
    private readonly seal: Seal,
    private readonly sink: Sink,
  ) {}

  async part(key: string, source: Readable): Promise<Part> {
    return { key, ...(await this.sink.write(key, await this.seal.seal(source))) };
  }

  async table(
    key: string,
    table: DatabaseSnapshot['tables'][number],
    snapshot: DatabaseSnapshot,
  ): Promise<StoredTable> {
    const zipped = createGzip(GZIP);
    const [count, part] = await Promise.all([snapshot.copy(table, zipped), this.part(key, zipped)]);
    return { ...table, rows: count, part };
  }

  /** Some at once, in the order of their keys. */
  async blobs(
    keys: readonly string[],
    files: BlobStore,
    earlier: Earlier['blobs'],
  ): Promise<{ blobs: StoredBlob[]; lost: string[]; added: number }> {
    const written = new Map<string, StoredBlob | null>();
    const waiting = keys.values();
    const write = async (): Promise<void> => {
      for (const key of waiting) {
        written.set(key, earlier.get(key) ?? (await this.blob(key, files)));
      }
    };
    await Promise.all(Array.from({ length: this.sink.atOnce }, write));
    const blobs = keys.flatMap((key) => written.get(key) ?? []);
    const added = blobs.filter(({ key }) => !earlier.has(key)).length;
    return { blobs, lost: keys.filter((key) => !written.get(key)), added };
  }

  /** null: the service has lost it. */
  private async blob(key: string, files: BlobStore): Promise<StoredBlob | null> {
    let source: Readable;
    try {
      source = await files.read(key);
    } catch (error) {
      if (error instanceof BlobMissing) return null;
      throw error;
    }
    const meter = new ByteMeter(Number.MAX_SAFE_INTEGER);
    const part = await this.part(`blobs/${key}`, Readable.from(meter.through(source), { objectMode: false }));
    return { key, size: meter.size, part };
  }
}
