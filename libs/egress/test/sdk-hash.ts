import { createHash, createHmac } from 'node:crypto';

/** SHA-256 as the SDK of AWS wants a hash to be. */
export class SdkHash {
  private readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === 'string' ? secret : Buffer.from((secret as Uint8Array | undefined) ?? []);
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', key);
  }

  update(chunk: string | Uint8Array): void {
    this.hash.update(chunk);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}
