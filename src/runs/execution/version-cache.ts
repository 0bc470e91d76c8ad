import { join } from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { linkTree, unpackTree } from '../../builds/index.js';
import { BlobStore } from '../../core/storage/index.js';
import { WorkerDirectory } from '../../core/worker/index.js';
import { MAX_ARCHIVE_BYTES, unpackArchive } from '../../../libs/archive/index.js';
import { BoxProvider } from './box-provider.js';
import type { ClaimedRun } from './claimed-run.js';
import { FolderCache, type OpenedFolder } from './folder-cache.js';

/** How many unpacked versions are kept that no run uses. */
const MOST_IDLE = 200;
/** Fewer dependencies are kept: they are larger, and needed only while a version's folder is made. */
const MOST_IDLE_LAYERS = 20;
/** How many are named in the statement that takes runs. */
const MOST_NAMED = 50;

type Content = Pick<ClaimedRun, 'archiveKey' | 'archiveSha256' | 'depsKey' | 'depsWhole'>;

/**
 * The folders of versions with their dependencies. Each is made once and named after the content of both: the SHA-256 of
 * the archive, then after a dash that of the dependencies, if there are any. Versions with the same dependencies share
 * their files by hard links.
 */
@Injectable()
export class VersionCache implements OnModuleInit {
  private folders!: FolderCache;
  private layers!: FolderCache;
  private unpacked: string[] = [];

  constructor(
    private readonly blobs: BlobStore,
    private readonly directory: WorkerDirectory,
    private readonly boxes: BoxProvider,
  ) {}

  async onModuleInit(): Promise<void> {
    const versions = await this.directory.folder('versions');
    this.folders = new FolderCache(versions, MOST_IDLE, (name) => {
      this.unpacked = this.unpacked.filter((kept) => kept !== name);
      this.boxes.sandbox.forget(join(versions, name));
    });
    this.layers = new FolderCache(await this.directory.folder('dependencies'), MOST_IDLE_LAYERS);
  }

  /** The names of the unpacked versions that were used last. */
  latest(): string[] {
    return this.unpacked;
  }

  async open(content: Content): Promise<OpenedFolder> {
    const name = nameOf(content);
    const opened = await this.folders.open(name, (draft) => this.make(content, draft));
    if (this.unpacked[0] !== name)
      this.unpacked = [name, ...this.unpacked.filter((kept) => kept !== name)].slice(0, MOST_NAMED);
    return opened;
  }

  private async make({ archiveKey, depsKey, depsWhole }: Content, draft: string): Promise<void> {
    if (depsKey !== null && depsWhole) return unpackTree(await this.blobs.read(depsKey), draft);
    const chunks: Buffer[] = [];
    for await (const chunk of await this.blobs.read(archiveKey)) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (bytes.length > MAX_ARCHIVE_BYTES) throw new Error('its archive is larger than an archive may be');
    await unpackArchive(bytes, draft);
    if (depsKey !== null) await this.addDependencies(depsKey, draft);
  }

  private async addDependencies(depsKey: string, draft: string): Promise<void> {
    const layer = await this.layers.open(shaOf(depsKey), async (path) =>
      unpackTree(await this.blobs.read(depsKey), path),
    );
    try {
      await linkTree(layer.directory, draft);
    } finally {
      layer.release();
    }
  }
}

/** The statement that takes runs makes names in the same way. */
function nameOf({ archiveSha256, depsKey }: Content): string {
  return depsKey === null ? archiveSha256 : `${archiveSha256}-${shaOf(depsKey)}`;
}

/** The key of stored dependencies is `content/<SHA-256>`. */
function shaOf(depsKey: string): string {
  return depsKey.split('/')[1]!;
}
