import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Settings, VERSION } from '../core/config/index.js';
import type { ByteContent } from '../core/http/index.js';

/** Beside the compiled program, where `npm run pack` puts them. */
const FOLDER = join(import.meta.dirname, '../../packages');

/** A file of `npm run pack`, as its `index.json` has it. */
export interface PackageFile {
  name: string;
  /** In bytes. */
  size: number;
  /** In hex. */
  sha256: string;
  /** What npm asks about: the package's own manifest, and its digests. Null for what is no package of npm. */
  npm: { manifest: { name: string; version: string }; integrity: string; shasum: string } | null;
}

/** The packages that were made of this version: the registry of these, and of no others. */
@Injectable()
export class PackagesService {
  constructor(private readonly settings: Settings) {}

  /** None where they were not made, or are of another version. Read when they are asked for, which is seldom. */
  async list(): Promise<PackageFile[]> {
    const text = await readFile(join(FOLDER, 'index.json'), 'utf8').catch(ignoreMissing);
    if (text === undefined) return [];
    const { version, files } = JSON.parse(text) as { version: string; files: PackageFile[] };
    return version === VERSION ? files : [];
  }

  async content(name: string): Promise<ByteContent | null> {
    const file = (await this.list()).find((each) => each.name === name);
    if (!file) return null;
    return {
      open: (range) => Promise.resolve(createReadStream(join(FOLDER, file.name), range)),
      size: file.size,
      sha256: file.sha256,
      filename: file.name,
      type: 'application/octet-stream',
    };
  }

  /** What a registry tells npm about a package: its one version, and where that is. */
  async packument(name: string): Promise<object | null> {
    const file = (await this.list()).find(({ npm }) => npm?.manifest.name === name);
    if (!file?.npm) return null;
    const { manifest, integrity, shasum } = file.npm;
    const dist = { tarball: this.addressOf(file), integrity, shasum };
    return {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    };
  }

  addressOf({ name }: PackageFile): string {
    return `${this.settings.baseUrl}/packages/${name}`;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
