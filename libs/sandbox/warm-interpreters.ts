import { freeMemory } from './free-memory.js';
import type { InterpreterKind } from './interpreter-kind.js';
import type { Slot } from './slot.js';

const UNUSED_MS = 10 * 60_000;
const SPARE_BYTES = 384 * 1024 * 1024;
const REST_MS = 5;
const LOOK_EVERY_MS = 15_000;
/** A kind whose interpreters have ended this often before they were ready is left alone. */
const MOST_FAILURES = 3;

interface Use {
  kind: InterpreterKind;
  at: number;
  failures: number;
}

export interface WarmthOptions {
  /**
   * A kind that no run has asked for in this time is given up. One interpreter of the kind that ran last stays, so that
   * the first run after a rest is no slower. Default 10 minutes.
   */
  unusedMs?: number;
  /**
   * How long a slot is left alone after a run before an interpreter is started in it: the worker still has to write how the run
   * ended, and somebody waits for that. Default 5.
   */
  restMs?: number;
  /** While the machine, or the worker's cgroup, has less memory than this, nothing is kept. Default 384 MiB. */
  spareBytes?: number;
}

/**
 * Decides which idle slots hold an interpreter. A slot holds what it ran last; and when a run takes the only one of its kind that
 * is ready, another slot gets one. So there are as many of a kind as runs of it come at a time.
 */
export class WarmInterpreters {
  private readonly uses = new Map<string, Use>();
  private readonly timer: NodeJS.Timeout;
  private readonly unusedMs: number;
  private readonly spareBytes: number;
  private readonly restMs: number;

  /** @param idle the idle slots, in the order in which they became so */
  constructor(
    private readonly idle: () => readonly Slot[],
    { unusedMs = UNUSED_MS, spareBytes = SPARE_BYTES, restMs = REST_MS }: WarmthOptions,
  ) {
    this.unusedMs = unusedMs;
    this.spareBytes = spareBytes;
    this.restMs = restMs;
    this.timer = setInterval(() => this.look(), Math.min(LOOK_EVERY_MS, unusedMs / 2)).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** A run has asked for this kind and has got its slot. */
  used(kind: InterpreterKind, key: string): void {
    const use = this.uses.get(kind.key) ?? { kind, at: 0, failures: 0 };
    // The last in the map is the last used.
    this.uses.delete(kind.key);
    this.uses.set(kind.key, { ...use, at: Date.now() });
    const idle = this.idle().filter((slot) => slot.key === key);
    if (idle.some((slot) => slot.held?.kind.key === kind.key)) return;
    const spare = idle.findLast((slot) => slot.held === null);
    if (spare) this.hold(spare, kind);
  }

  /** A slot is idle again after a run of this kind. */
  returned(slot: Slot, kind: InterpreterKind): void {
    const hold = (): void => {
      if (slot.held === null && this.idle().includes(slot)) this.hold(slot, kind);
    };
    if (this.restMs > 0) setTimeout(hold, this.restMs).unref();
    else hold();
  }

  /** Gives up what is not used any more, or everything where memory is short. */
  private look(): void {
    const short = this.isShortOfMemory();
    const last = [...this.uses.keys()].at(-1);
    let lastIsKept = false;
    for (const slot of this.idle()) {
      const use = slot.held && this.uses.get(slot.held.kind.key);
      if (!use) continue;
      const recent = Date.now() - use.at < this.unusedMs;
      const keep = !short && (recent || (use.kind.key === last && !lastIsKept));
      if (keep && use.kind.key === last) lastIsKept = true;
      if (!keep) slot.letGo();
    }
    for (const [key, { at }] of this.uses)
      if (key !== last && Date.now() - at >= this.unusedMs) this.uses.delete(key);
  }

  private isShortOfMemory(): boolean {
    return freeMemory() < this.spareBytes;
  }

  private hold(slot: Slot, kind: InterpreterKind): void {
    const use = this.uses.get(kind.key);
    if (!use || use.failures >= MOST_FAILURES || this.isShortOfMemory()) return;
    slot.hold(kind, (ready) => {
      const current = this.uses.get(kind.key);
      if (current) current.failures = ready ? 0 : current.failures + 1;
    });
  }
}
