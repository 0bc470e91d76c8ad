import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Settings, VERSION } from '../core/config/index.js';
import { NotFound, ProblemError } from '../core/errors/index.js';
import type { ByteContent } from '../core/http/index.js';

/** Beside the compiled program, where `npm run pack` puts them. */
const FOLDER = join(import.meta.dirname, '../../packages');

/** Where there are none: an image has those that were made before it was built. */
export const NOT_MADE =
  'This Gatehouse was built without its packages: `npm run pack`, in its checkout, makes them.';

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

  async content(name: string): Promise<ByteContent> {
    const file = await this.find((each) => each.name === name);
    return {
      open: (range) => Promise.resolve(createReadStream(join(FOLDER, file.name), range)),
      size: file.size,
      sha256: file.sha256,
      filename: file.name,
      type: 'application/octet-stream',
    };
  }

  /** What a registry tells npm about a package: its one version, and where that is. */
  async packument(name: string): Promise<object> {
    const file = await this.find(({ npm }) => npm?.manifest.name === name);
    const { manifest, integrity, shasum } = file.npm!;
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

  private async find(isWanted: (file: PackageFile) => boolean): Promise<PackageFile> {
    const files = await this.list();
    const found = files.find(isWanted);
    if (found) return found;
    if (files.length > 0) throw new NotFound('package');
    // npm shows this header, and nothing of our error.
    throw new ProblemError('not_found', NOT_MADE, undefined, { 'npm-notice': NOT_MADE });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
