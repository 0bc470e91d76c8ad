import { Readable } from 'node:stream';

import { assertBlobKey, contentKey } from './blob-key.js';
import { BlobStore } from './blob-store.js';
import type { StoredBytes, StoredContent, WriteLimits } from './blob-store.js';
import { ByteMeter } from './byte-meter.js';
import type { ByteSource } from './byte-meter.js';
import { SpooledFile } from './spooled-file.js';

/** A store elsewhere: a key has to be known before its bytes are sent. */
export abstract class SendingBlobStore extends BlobStore {
  /** Stores all of `chunks` or nothing. An error of theirs is thrown as it is, whatever the store makes of it. */
  protected abstract send(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;

  override async write(key: string, source: ByteSource, limits: WriteLimits): Promise<StoredBytes> {
    return this.metered(source, limits, async (meter) => {
      assertBlobKey(key);
      await this.send(key, meter.through(source));
      return { size: meter.size, sha256: meter.sha256 };
    });
  }

  protected override async writeContentStream(
    source: ByteSource,
    limits: WriteLimits,
  ): Promise<StoredContent> {
    return this.metered(source, limits, (meter) =>
      SpooledFile.with(meter.through(source), async (file) => {
        const stored = { key: contentKey(meter.sha256), size: meter.size, sha256: meter.sha256 };
        if (!(await this.holds(stored.key, stored.size))) await this.send(stored.key, file.read());
        return stored;
      }),
    );
  }

  private async metered<T>(
    source: ByteSource,
    { maxBytes }: WriteLimits,
    work: (meter: ByteMeter) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(new ByteMeter(maxBytes));
    } finally {
      if (source instanceof Readable) source.destroy();
    }
  }
}
