import type { Slot } from './slot.js';

export interface SlotPoolOptions {
  /** Makes a slot for a key. */
  open: (key: string) => Promise<Slot>;
  /** There are never more slots than this; further runs wait for one. */
  size: number;
}

interface Waiting {
  key: string;
  resolve: (slot: Slot) => void;
  reject: (error: Error) => void;
}

/** Keeps slots for reuse: making one costs more than a short run. */
export class SlotPool {
  private readonly idle: Slot[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly all = new Set<Slot>();
  private opening = 0;
  private closed = false;

  constructor(private readonly options: SlotPoolOptions) {}

  /** An idle slot at once, or null: then {@link acquire} has to be awaited. */
  take(key: string): Slot | null {
    for (let index = this.idle.length - 1; index >= 0; index--) {
      const slot = this.idle[index];
      if (slot?.key !== key) continue;
      this.idle.splice(index, 1);
      if (!slot.launcher.isGone) return slot;
      // Something on the machine has killed it while it was idle.
      void this.discard(slot);
    }
    return null;
  }

  /** Waits for a slot if all are in use. @throws SandboxUnavailable if one is needed and cannot be made. */
  acquire(key: string): Promise<Slot> {
    const slot = this.take(key);
    if (slot) return Promise.resolve(slot);
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      this.serve();
    });
  }

  /** Gives a slot back after its run, or away if its launcher has died. */
  async release(slot: Slot): Promise<void> {
    try {
      if (this.closed) return;
      await slot.launcher.ready();
      this.idle.push(slot);
    } catch {
      await this.discard(slot);
    } finally {
      this.serve();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    this.waiting.splice(0).forEach(({ reject }) => reject(new Error('the sandbox has been closed')));
    this.idle.length = 0;
    await Promise.all([...this.all].map((slot) => slot.close()));
    this.all.clear();
  }

  private async discard(slot: Slot): Promise<void> {
    this.all.delete(slot);
    await slot.close();
  }

  /** Gives idle slots to those who wait, in order, and makes new ones as long as there is room. */
  private serve(): void {
    for (const waiting of [...this.waiting]) {
      const slot = this.take(waiting.key);
      if (slot) {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.resolve(slot);
      }
    }
    while (!this.closed && this.waiting.length > this.opening) {
      const next = this.waiting[this.opening];
      if (!next) return;
      if (this.all.size + this.opening >= this.options.size) {
        // Everything left in `idle` has other limits than those wanted.
        const unwanted = this.idle.shift();
        if (!unwanted) return;
        void this.discard(unwanted);
      }
      void this.open(next.key);
    }
  }

  private async open(key: string): Promise<void> {
    this.opening++;
    try {
      const slot = await this.options.open(key);
      if (this.closed) {
        await slot.close();
        return;
      }
      this.all.add(slot);
      this.idle.push(slot);
    } catch (error) {
      const index = this.waiting.findIndex((waiting) => waiting.key === key);
      if (index >= 0) this.waiting.splice(index, 1)[0]?.reject(error as Error);
    } finally {
      this.opening--;
      this.serve();
    }
  }
}
