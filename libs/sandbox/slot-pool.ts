import type { BoxedRun, RunStart } from './boxed-run.js';
import type { InterpreterKind } from './interpreter-kind.js';
import type { Slot } from './slot.js';
import { WarmInterpreters } from './warm-interpreters.js';
import type { WarmthOptions } from './warm-interpreters.js';

interface SlotPoolOptions {
  open: (key: string) => Promise<Slot>;
  /** There are never more slots than this; further runs wait for one. */
  size: number;
  /** Idle slots hold interpreters that wait for a run; null: they do not. */
  warmth: WarmthOptions | null;
}

interface Waiting {
  key: string;
  kind: InterpreterKind | null;
  resolve: (slot: Slot) => void;
  reject: (error: Error) => void;
}

const CLOSED = 'the sandbox has been closed';

/** Keeps slots for reuse: making one costs more than a short run. */
export class SlotPool {
  private readonly idle: Slot[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly all = new Set<Slot>();
  private opening = 0;
  private closed = false;

  private readonly warm: WarmInterpreters | null;

  constructor(private readonly options: SlotPoolOptions) {
    this.warm = options.warmth && new WarmInterpreters(() => this.idle, options.warmth);
  }

  /**
   * An idle slot at once, or null: then {@link acquire} has to be awaited.
   * @param kind what could have been started ahead for the run; null: nothing.
   */
  take(key: string, kind: InterpreterKind | null): Slot | null {
    for (let slot = this.best(key, kind); slot; slot = this.best(key, kind)) {
      this.idle.splice(this.idle.indexOf(slot), 1);
      const isUsable = slot.held?.kind.key === kind?.key || slot.launcher.isSilent;
      if (!slot.launcher.isGone && isUsable) {
        if (kind) this.warm?.used(kind, key);
        return slot;
      }
      // Something on the machine has killed it while it was idle, or what was held there has said something.
      void this.discard(slot);
    }
    return null;
  }

  /** Waits for a slot if all are in use. @throws SandboxUnavailable if one is needed and cannot be made. */
  acquire(key: string, kind: InterpreterKind | null): Promise<Slot> {
    const slot = this.take(key, kind);
    if (slot) return Promise.resolve(slot);
    if (this.closed) return Promise.reject(new Error(CLOSED));
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, kind, resolve, reject });
      this.serve();
    });
  }

  /** Begins a run in a slot, at once if one is idle. */
  begin(run: BoxedRun, key: string, { request, kind }: Pick<RunStart, 'request' | 'kind'>): void {
    const giveBack = (slot: Slot): Promise<void> => this.release(slot);
    const begin = (slot: Slot): void =>
      run.begin(slot, { request, kind, forked: false, kept: false, giveBack, instead: null });
    const idle = this.take(key, kind);
    if (idle) begin(idle);
    else
      this.acquire(key, kind)
        .then(begin)
        .catch((error: Error) => run.fail(error));
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
    if (slot.kind && this.idle.includes(slot)) this.warm?.returned(slot, slot.kind);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.warm?.close();
    this.waiting.splice(0).forEach(({ reject }) => reject(new Error(CLOSED)));
    this.idle.length = 0;
    await Promise.all([...this.all].map((slot) => slot.close()));
    this.all.clear();
  }

  /**
   * One that holds what is wanted; then one that holds nothing, and will in future; then one where it is being started; then the
   * one whose interpreter has been waiting longest for a run of another kind.
   */
  private best(key: string, kind: InterpreterKind | null): Slot | undefined {
    const slots = this.idle.filter((slot) => slot.key === key);
    const same = slots.filter(({ held }) => kind !== null && held?.kind.key === kind.key);
    return (
      same.findLast(({ held }) => held?.ready) ??
      slots.findLast(({ held }) => held === null) ??
      same[0] ??
      slots[0]
    );
  }

  private async discard(slot: Slot): Promise<void> {
    this.all.delete(slot);
    await slot.close();
  }

  /** Gives idle slots to those who wait, in order, and makes new ones as long as there is room. */
  private serve(): void {
    for (const waiting of [...this.waiting]) {
      const slot = this.take(waiting.key, waiting.kind);
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
