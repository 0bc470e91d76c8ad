import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { syncDirectory, writePrivately } from '../database/embedded/index.js';
import { MASTER_KEY_BYTES } from '../crypto/index.js';

/** `<data>/master.key`, and while the key is being changed `master.key.next`: 32 bytes in base64, mode 0600. */
export class MasterKeyFile {
  readonly path: string;
  private readonly nextPath: string;

  constructor(private readonly directory: string) {
    this.path = join(directory, 'master.key');
    this.nextPath = `${this.path}.next`;
  }

  /** null: there is none. */
  read(): Promise<Buffer | null> {
    return readKey(this.path);
  }

  /** Written whole and then linked into place, so that two processes starting at once agree on one key. */
  async readOrCreate(): Promise<Buffer> {
    const existing = await this.read();
    if (existing) return existing;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${process.pid}`;
    const file = await open(draft, 'wx', 0o600);
    await file.writeFile(asText(randomBytes(MASTER_KEY_BYTES)));
    await file.sync();
    await file.close();
    await link(draft, this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
    await syncDirectory(this.directory);
    return (await this.read())!;
  }

  /** Stores the next key beside the present one, before anything is sealed with it. */
  stage(key: Buffer): Promise<void> {
    return writePrivately(this.nextPath, asText(key));
  }

  readStaged(): Promise<Buffer | null> {
    return readKey(this.nextPath);
  }

  /** Puts the staged key in the place of the present one. */
  async promote(): Promise<void> {
    await rename(this.nextPath, this.path);
    await syncDirectory(this.directory);
  }

  async discardStaged(): Promise<void> {
    await rm(this.nextPath, { force: true });
  }
}

async function readKey(path: string): Promise<Buffer | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length === MASTER_KEY_BYTES) return key;
  throw new Error(
    `${path} does not hold a ${MASTER_KEY_BYTES}-byte key in base64. Restore it from a backup.`,
  );
}

function asText(key: Buffer): string {
  return `${key.toString('base64')}\n`;
}
