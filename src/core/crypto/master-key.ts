import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readFile, rm, link } from 'node:fs/promises';
import { join } from 'node:path';

import type { Settings } from '../config/settings.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The instance's key and the keys derived from it, one for each purpose, so that no key serves two. */
export class MasterKey {
  private readonly derived = new Map<string, Buffer>();

  constructor(private readonly key: Buffer) {}

  /** From the setting, or else from `<data>/master.key`, which is made (0600) when it is not there. */
  static async load(settings: Settings): Promise<MasterKey> {
    if (settings.masterKey) return new MasterKey(settings.masterKey);
    await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 });
    const path = join(settings.dataDirectory, 'master.key');
    const key = Buffer.from(await readOrCreate(path), 'base64');
    if (key.length !== 32) throw new Error(`${path} does not hold a 32-byte key in base64. Restore it from a backup.`);
    return new MasterKey(key);
  }

  /** AES-256-GCM: nonce, tag, ciphertext. `context` must be the same to decrypt: it binds a value to its place. */
  encrypt(purpose: string, plain: Buffer, context = ''): Buffer {
    const nonce = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyFor(purpose), nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  decrypt(purpose: string, sealed: Buffer, context = ''): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.keyFor(purpose), sealed.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  }

  /** HMAC-SHA256 of a text, in base64url. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest('base64url');
  }

  verify(purpose: string, text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  private keyFor(purpose: string): Buffer {
    let key = this.derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.key, '', `gatehouse/${purpose}`, 32));
      this.derived.set(purpose, key);
    }
    return key;
  }
}

/** Written whole and then linked into place, so that two processes starting at once agree on one key. */
async function readOrCreate(path: string): Promise<string> {
  const existing = await readFile(path, 'utf8').catch(() => null);
  if (existing !== null) return existing;
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'wx', 0o600);
  await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
  await file.sync();
  await file.close();
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(path, 'utf8');
}
