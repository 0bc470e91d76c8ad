import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { randomText } from '../../core/crypto/tokens.js';
import { BlobStore } from '../../core/storage/blob-store.js';
import { MAX_ARCHIVE_BYTES } from '../../scripts/archive/archive-limits.js';
import { unpackArchive } from '../../scripts/archive/unpack-archive.js';
import { WorkerDirectory } from './worker-directory.js';

/** Unpacked versions that are kept although nothing runs in them. */
const MOST_IDLE = 200;
/** As many are told to the statement that takes runs. */
const MOST_NAMED = 50;

interface Entry {
  directory: Promise<string>;
  users: number;
}

export interface UnpackedVersion {
  directory: string;
  release(): void;
}

/** Each version's folder, unpacked once by this worker by the content of its archive. */
@Injectable()
export class VersionCache implements OnModuleInit {
  private root!: string;
  /** In the order of use, so that the first idle one is the one to remove. */
  private readonly entries = new Map<string, Entry>();
  private whole: string[] = [];

  constructor(
    private readonly blobs: BlobStore,
    private readonly directory: WorkerDirectory,
  ) {}

  async onModuleInit(): Promise<void> {
    this.root = await this.directory.folder('versions');
  }

  /** SHA-256 of the archives that were used last and are unpacked. */
  latest(): string[] {
    return this.whole;
  }

  async open(archive: { archiveKey: string; archiveSha256: string }): Promise<UnpackedVersion> {
    const name = archive.archiveSha256;
    const entry = this.entries.get(name) ?? { directory: this.unpack(archive), users: 0 };
    entry.users += 1;
    this.entries.delete(name);
    this.entries.set(name, entry);
    try {
      const directory = await entry.directory;
      this.note(name);
      return { directory, release: () => this.release(entry) };
    } catch (error) {
      this.entries.delete(name);
      throw error;
    }
  }

  private async unpack({
    archiveKey,
    archiveSha256,
  }: {
    archiveKey: string;
    archiveSha256: string;
  }): Promise<string> {
    const target = join(this.root, archiveSha256);
    const draft = join(this.root, `draft-${randomText(16)}`);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of await this.blobs.read(archiveKey)) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      if (bytes.length > MAX_ARCHIVE_BYTES) throw new Error('its archive is larger than an archive may be');
      await unpackArchive(bytes, draft);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
    return target;
  }

  private note(name: string): void {
    if (this.whole[0] !== name)
      this.whole = [name, ...this.whole.filter((kept) => kept !== name)].slice(0, MOST_NAMED);
  }

  private release(entry: Entry): void {
    entry.users -= 1;
    const idle = [...this.entries].filter(([, { users }]) => users === 0);
    for (const [name, { directory }] of idle.slice(0, Math.max(0, idle.length - MOST_IDLE))) {
      this.entries.delete(name);
      this.whole = this.whole.filter((kept) => kept !== name);
      void this.remove(directory);
    }
  }

  /** Renamed first: should the version be asked for meanwhile, it is unpacked anew beside what is being removed. */
  private async remove(directory: Promise<string>): Promise<void> {
    const doomed = join(this.root, `draft-${randomText(16)}`);
    await rename(await directory, doomed).catch(() => undefined);
    await rm(doomed, { recursive: true, force: true }).catch(() => undefined);
  }
}
