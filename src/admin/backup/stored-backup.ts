import { buffer, text } from 'node:stream/consumers';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import type { DatabaseContent, TableShape } from '../../core/copies/index.js';
import { BlobMissing, type BlobStore, ByteMeter } from '../../core/storage/index.js';
import { CommandRefused } from '../command-refused.js';
import {
  CATALOGUE,
  type Catalogue,
  type Manifest,
  NO_BACKUPS,
  type Part,
  type StoredBlob,
  type StoredTable,
} from './manifest.js';
import type { Opener } from './sealing.js';

/** A part of a backup is gone or is not what was written. */
export class DamagedBackup extends CommandRefused {}

/** Of no backups, where nothing was written yet. */
export async function readCatalogue(store: BlobStore): Promise<Catalogue> {
  try {
    return JSON.parse(await text(await store.read(CATALOGUE))) as Catalogue;
  } catch (error) {
    if (error instanceof BlobMissing) return NO_BACKUPS;
    if (error instanceof SyntaxError) throw new DamagedBackup('The catalogue of the backups cannot be read.');
    throw error;
  }
}

export async function readManifest(store: BlobStore, part: Part): Promise<Manifest> {
  return JSON.parse(await text(checked(store, part))) as Manifest;
}

/** A backup that can be restored, in a place and with the key that opens it. */
export class StoredBackup implements DatabaseContent {
  private constructor(
    private readonly store: BlobStore,
    private readonly opener: Opener,
    readonly manifest: Manifest,
  ) {}

  /** @param id the last one, where none is given */
  static async open(store: BlobStore, opener: Opener, id?: string): Promise<StoredBackup> {
    const { backups } = await readCatalogue(store);
    const found = id === undefined ? backups.at(-1) : backups.find((backup) => backup.id === id);
    if (!found) {
      const there = backups.map((backup) => backup.id).join(', ');
      throw new CommandRefused(
        there === '' ? 'There is no whole backup.' : `There is no backup ${id}. There are: ${there}.`,
      );
    }
    return new StoredBackup(store, opener, await readManifest(store, found.manifest));
  }

  get carriedOut(): Manifest['carriedOut'] {
    return this.manifest.carriedOut;
  }

  get tables(): readonly StoredTable[] {
    return this.manifest.tables;
  }

  get sequences(): Manifest['sequences'] {
    return this.manifest.sequences;
  }

  async copy({ name }: TableShape, into: Writable): Promise<number> {
    const { part, rows } = this.tables.find((table) => table.name === name)!;
    await pipeline(await this.part(part), createGunzip(), into);
    return rows;
  }

  /** As it was before it was sealed. */
  async blob({ size, part }: StoredBlob): Promise<Readable> {
    const meter = new ByteMeter(Number.MAX_SAFE_INTEGER);
    const plain = await this.part(part);
    async function* whole(): AsyncGenerator<Buffer> {
      yield* meter.through(plain);
      if (meter.size !== size)
        throw new DamagedBackup(`${part.key} has ${meter.size} bytes instead of ${size}.`);
    }
    return asStream(whole());
  }

  /** The master key, where it is in the backup. */
  async masterKey(): Promise<Buffer | null> {
    const { part } = this.manifest.masterKey;
    return part && buffer(await this.part(part));
  }

  private part(part: Part): Promise<Readable> {
    return this.opener.open(checked(this.store, part));
  }
}

/** Its last bytes come once all were what was written. */
function checked(store: BlobStore, part: Part): Readable {
  async function* whole(): AsyncGenerator<Buffer> {
    const meter = new ByteMeter(Number.MAX_SAFE_INTEGER);
    const source = await store.read(part.key).catch((error: unknown) => {
      throw error instanceof BlobMissing ? new DamagedBackup(`${part.key} is gone.`) : error;
    });
    yield* meter.through(source);
    if (meter.size !== part.size || meter.sha256 !== part.sha256) {
      throw new DamagedBackup(`${part.key} is not what was written.`);
    }
  }
  return asStream(whole());
}

function asStream(chunks: AsyncIterable<Buffer>): Readable {
  return Readable.from(chunks, { objectMode: false });
}
