import type { InterpreterKind } from './interpreter-kind.js';
import type { Slot } from './slot.js';

/** A kind that no run has asked for in this time is given up, but for one interpreter of the kind that ran last. */
const UNUSED_MS = 10 * 60_000;
const LOOK_EVERY_MS = 15_000;
/** With less than this to spare nothing is kept. */
const SHORT_OF_MEMORY_BYTES = 384 * 1024 * 1024;
/** A kind whose interpreters have ended this often before they were ready is left alone. */
const MOST_FAILURES = 3;

interface Use {
  kind: InterpreterKind;
  at: number;
  failures: number;
}

export interface WarmInterpretersOptions {
  /** The idle slots, in the order in which they became so. */
  idle: () => readonly Slot[];
  now?: () => number;
  availableMemory?: () => number;
}

/**
 * Decides which idle slots hold an interpreter. A slot holds what it ran last; and when a run takes the only one of its kind that
 * is ready, another slot gets one. So there are as many of a kind as runs of it come at a time.
 */
export class WarmInterpreters {
  private readonly uses = new Map<string, Use>();
  private readonly timer: NodeJS.Timeout;
  private readonly now: () => number;
  private readonly availableMemory: () => number;

  constructor(private readonly options: WarmInterpretersOptions) {
    this.now = options.now ?? Date.now;
    this.availableMemory = options.availableMemory ?? ((): number => process.availableMemory());
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** A run has asked for this kind and has got its slot. */
  used(kind: InterpreterKind, key: string): void {
    const use = this.uses.get(kind.key) ?? { kind, at: 0, failures: 0 };
    // The last in the map is the last used.
    this.uses.delete(kind.key);
    this.uses.set(kind.key, { ...use, at: this.now() });
    const idle = this.options.idle().filter((slot) => slot.key === key);
    if (idle.some((slot) => slot.held?.kind.key === kind.key)) return;
    const spare = idle.findLast((slot) => slot.held === null);
    if (spare) this.hold(spare, kind);
  }

  /** A slot is idle again after a run of this kind. */
  returned(slot: Slot, kind: InterpreterKind): void {
    if (slot.held === null) this.hold(slot, kind);
  }

  /** Gives up what is not used any more, or everything where memory is short. */
  look(): void {
    const short = this.availableMemory() < SHORT_OF_MEMORY_BYTES;
    const last = [...this.uses.keys()].at(-1);
    let lastIsKept = false;
    for (const slot of this.options.idle()) {
      const use = slot.held && this.uses.get(slot.held.kind.key);
      if (!use) continue;
      const recent = this.now() - use.at < UNUSED_MS;
      const keep = !short && (recent || (use.kind.key === last && !lastIsKept));
      if (keep && use.kind.key === last) lastIsKept = true;
      if (!keep) slot.letGo();
    }
    for (const [key, { at }] of this.uses)
      if (key !== last && this.now() - at >= UNUSED_MS) this.uses.delete(key);
  }

  private hold(slot: Slot, kind: InterpreterKind): void {
    const use = this.uses.get(kind.key);
    if (!use || use.failures >= MOST_FAILURES || this.availableMemory() < SHORT_OF_MEMORY_BYTES) return;
    slot.hold(kind, (ready) => {
      const current = this.uses.get(kind.key);
      if (current) current.failures = ready ? 0 : current.failures + 1;
    });
  }
}
