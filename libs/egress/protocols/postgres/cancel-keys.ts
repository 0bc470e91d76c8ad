import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** What a server gave to cancel a session with, and what its client was given instead. */
export interface CancelKey {
  processId: number;
  key: Buffer;
}

interface Entry {
  given: Buffer;
  server: CancelKey;
  isBusy: boolean;
}

const SHORT_BYTES = 4;
const LONG_BYTES = 32;
const MAX_PROCESS_ID = 0x7fff_ffff;

/** The sessions that clients of one run can cancel at one host, by keys that open nothing else. */
export class CancelKeys {
  private readonly entries = new Map<number, Entry>();

  /** @param isLong as protocol 3.2 allows */
  give(server: CancelKey, isLong: boolean): CancelKey {
    let processId: number;
    do processId = randomInt(1, MAX_PROCESS_ID);
    while (this.entries.has(processId));
    const key = randomBytes(isLong ? LONG_BYTES : SHORT_BYTES);
    this.entries.set(processId, { given: key, server, isBusy: false });
    return { processId, key };
  }

  take({ processId }: CancelKey): void {
    this.entries.delete(processId);
  }

  /**
   * Cancels with the server's key, one at a time for each session.
   * @returns false where there is no such session, or it is being cancelled
   */
  async use({ processId, key }: CancelKey, cancel: (server: CancelKey) => Promise<void>): Promise<boolean> {
    const entry = this.entries.get(processId);
    if (!entry || entry.isBusy || entry.given.length !== key.length || !timingSafeEqual(entry.given, key))
      return false;
    entry.isBusy = true;
    try {
      await cancel(entry.server);
    } finally {
      entry.isBusy = false;
    }
    return true;
  }
}
