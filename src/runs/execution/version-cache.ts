import { Injectable, type OnModuleInit } from '@nestjs/common';

import { linkTree, unpackTree } from '../../builds/index.js';
import { BlobStore } from '../../core/storage/blob-store.js';
import { WorkerDirectory } from '../../core/worker/worker-directory.js';
import { MAX_ARCHIVE_BYTES, unpackArchive } from '../../../libs/archive/index.js';
import type { ClaimedRun } from './claimed-run.js';
import { FolderCache, type OpenedFolder } from './folder-cache.js';

/** Unpacked versions that are kept although nothing runs in them. */
const MOST_IDLE = 200;
/** Dependencies by themselves, which are larger, and needed only to make versions of. */
const MOST_IDLE_LAYERS = 20;
/** As many are told to the statement that takes runs. */
const MOST_NAMED = 50;

type Content = Pick<ClaimedRun, 'archiveKey' | 'archiveSha256' | 'depsKey' | 'depsWhole'>;

/**
 * Each version's folder with its dependencies, made once by this worker by the content of both. Versions with the same dependencies
 * share their files.
 */
@Injectable()
export class VersionCache implements OnModuleInit {
  private folders!: FolderCache;
  private layers!: FolderCache;
  private whole: string[] = [];

  constructor(
    private readonly blobs: BlobStore,
    private readonly directory: WorkerDirectory,
  ) {}

  async onModuleInit(): Promise<void> {
    this.folders = new FolderCache(await this.directory.folder('versions'), MOST_IDLE, (name) => {
      this.whole = this.whole.filter((kept) => kept !== name);
    });
    this.layers = new FolderCache(await this.directory.folder('dependencies'), MOST_IDLE_LAYERS);
  }

  /** The contents that were used last and are unpacked: an archive's SHA-256, then after a dash the dependencies'. */
  latest(): string[] {
    return this.whole;
  }

  async open(content: Content): Promise<OpenedFolder> {
    const name = nameOf(content);
    const opened = await this.folders.open(name, (draft) => this.make(content, draft));
    if (this.whole[0] !== name)
      this.whole = [name, ...this.whole.filter((kept) => kept !== name)].slice(0, MOST_NAMED);
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

/** As the statement that takes runs puts it together. */
function nameOf({ archiveSha256, depsKey }: Content): string {
  return depsKey === null ? archiveSha256 : `${archiveSha256}-${shaOf(depsKey)}`;
}

/** Dependencies are stored by what they are: `content/<SHA-256>`. */
function shaOf(depsKey: string): string {
  return depsKey.split('/')[1]!;
}
