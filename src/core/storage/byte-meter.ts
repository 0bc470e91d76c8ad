import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { BlobTooLarge } from './storage.errors.js';

export type ByteSource = Readable | AsyncIterable<Uint8Array>;

/** Counts and hashes bytes on their way, and stops them at the limit: no more than `maxBytes` ever pass. */
export class ByteMeter {
  private readonly hash = createHash('sha256');
  private bytes = 0;
  private digest: string | null = null;

  constructor(private readonly maxBytes: number) {
    if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) throw new TypeError(`Not a byte limit: ${maxBytes}`);
  }

  get size(): number {
    return this.bytes;
  }

  /** In lower-case hex, once all bytes have passed. */
  get sha256(): string {
    return (this.digest ??= this.hash.digest('hex'));
  }

  async *through(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
      const buffer = asBuffer(chunk);
      if (this.bytes + buffer.length > this.maxBytes) throw new BlobTooLarge(this.maxBytes);
      this.bytes += buffer.length;
      this.hash.update(buffer);
      if (buffer.length > 0) yield buffer;
    }
  }
}

function asBuffer(chunk: Uint8Array | string): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
