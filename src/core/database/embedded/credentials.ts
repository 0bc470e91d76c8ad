import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writePrivately } from './durable-file.js';
import { type Endpoint, urlOf } from './server-settings.js';

/** `<data>/postgres.json`: the password, and for the curious the address of the last start. */
export class Credentials {
  private constructor(
    private readonly path: string,
    readonly password: string,
    /** The file was not there: a database that already exists has another password. */
    readonly fresh: boolean,
  ) {}

  static async load(dataDir: string): Promise<Credentials | null> {
    const path = join(dataDir, 'postgres.json');
    try {
      const { password } = JSON.parse(await readFile(path, 'utf8')) as { password?: unknown };
      // It becomes part of a statement and of a URL.
      return typeof password === 'string' && /^[\w-]{16,}$/.test(password)
        ? new Credentials(path, password, false)
        : null;
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  static create(dataDir: string): Credentials {
    return new Credentials(join(dataDir, 'postgres.json'), randomBytes(24).toString('base64url'), true);
  }

  async save(endpoint?: Endpoint): Promise<void> {
    const url = endpoint && urlOf(endpoint, this.password);
    await writePrivately(this.path, `${JSON.stringify({ password: this.password, url }, null, 2)}\n`);
  }
}
