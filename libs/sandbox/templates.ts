import type { BoxSpec } from './box.js';
import { type InterpreterKind, templateOf } from './interpreter-kind.js';
import type { Slot } from './slot.js';
import { type SlotKind, slotKey } from './slot-kind.js';

const MiB = 1024 * 1024;

export interface TemplateOptions {
  /** All templates together may have as much. Default: a quarter of what was free when the sandbox was opened. */
  memoryBytes?: number;
  /** A script that runs `enough` times, each within this time of the one before, gets one. Default twice, and 10 minutes. */
  enough?: number;
  /** One that no run has asked for as long is given up. */
  unusedMs?: number;
  /** A template is made anew after so many runs, or as long. Default 500, and 15 minutes. */
  mostRuns?: number;
  mostMs?: number;
}

interface TemplatesOptions extends Required<TemplateOptions> {
  /** A new slot with these limits. */
  open: (key: string) => Promise<Slot>;
  /** How many there may be of one kind. */
  mostOfAKind: number;
  /** Of a run of one of its slots. */
  limitBytes: (key: string) => number;
}

/** What a run could be forked from. */
export interface TemplateWish {
  kind: InterpreterKind;
  /** Of the slot. */
  key: string;
  app: string;
  /** For whom it is made: one at a time. */
  owner: string;
}

/** What a run would like to be forked from; null: it cannot be forked. */
export function templateWish(
  { template, templateOwner = template, extraRoBinds, argv, app }: BoxSpec,
  kind: InterpreterKind,
  env: Readonly<Record<string, string>>,
  { limits, writesToDisk }: SlotKind,
): TemplateWish | null {
  if (template === undefined || templateOwner === undefined || extraRoBinds) return null;
  const ofTemplate = templateOf(kind, template, argv, env);
  // It is two processes itself.
  const key = slotKey({ limits: { ...limits, processes: limits.processes + 2 }, writesToDisk });
  return ofTemplate && { kind: ofTemplate, key, app, owner: templateOwner };
}

interface Template extends TemplateWish {
  slot: Slot;
  /** Of its own, in bytes. */
  memory: number;
  madeAt: number;
  usedAt: number;
  runs: number;
  busy: boolean;
}

interface Use {
  last: number;
  /** How often it was asked for without a long pause. */
  times: number;
  /** Until then it is left alone, for it could not be had. */
  refusedUntil: number;
  /** How many in a row were given up after a run or two: what its runs leave ends their box each time. */
  lost: number;
}

/** How templates fare, for who watches. */
export interface TemplateState {
  templates: number;
  bytes: number;
  /** Of those that are being made. */
  making: number;
  made: number;
  /** Could not be had. */
  refused: number;
  /** Runs. */
  forked: number;
  /** Why, of the one that was refused last. */
  reason: string | null;
}

/** While the machine, or the worker's cgroup, has less memory than this, nothing is kept. */
const SPARE_BYTES = 384 * MiB;
const MAKE_MS = 20_000;
/** So many are being made at a time: each takes a processor for as long as its imports do. */
const MOST_MAKING = 2;
const MOST_BYTES = 256 * MiB;
const LOOK_EVERY_MS = 15_000;
const REFUSED_MS = 15 * 60_000;
const FEW_RUNS = 3;
const MOST_LOST = 10;
const MOST_USES = 1000;

/**
 * Interpreters that have imported what one script imports, and are forked for each of its runs. Each has a slot of its own, which it
 * keeps, and serves one run at a time. Where there is none, or all are busy, a run starts in another way.
 */
export class Templates {
  private readonly all = new Set<Template>();
  private readonly uses = new Map<string, Use>();
  /** The owners, by the kind's key. */
  private readonly making = new Map<string, string>();
  private readonly timer: NodeJS.Timeout;
  private closed = false;
  private made = 0;
  private refused = 0;
  private forked = 0;
  private reason: string | null = null;

  constructor(private readonly options: TemplatesOptions) {
    this.timer = setInterval(() => this.look(), Math.min(LOOK_EVERY_MS, options.unusedMs / 2)).unref();
  }

  get state(): TemplateState {
    const { made, refused, forked, reason } = this;
    return {
      templates: this.all.size,
      bytes: this.bytes,
      making: this.making.size,
      made,
      refused,
      forked,
      reason,
    };
  }

  /** A slot whose template is ready for this run, or null. It is given back by {@link release}. */
  take({ kind }: TemplateWish): Slot | null {
    this.note(kind.key);
    for (const template of this.all) {
      if (template.kind.key !== kind.key || template.busy) continue;
      if (template.slot.launcher.isGone || !template.slot.launcher.isSilent) {
        void this.discard(template);
        continue;
      }
      template.busy = true;
      template.runs++;
      this.forked++;
      template.usedAt = Date.now();
      return template.slot;
    }
    return null;
  }

  /** After a run in a template's slot. */
  async release(slot: Slot): Promise<void> {
    const template = [...this.all].find((one) => one.slot === slot);
    if (!template) return;
    const { mostRuns, mostMs } = this.options;
    const old = template.runs >= mostRuns || Date.now() - template.madeAt >= mostMs;
    const again = old
      ? false
      : await slot.launcher.ready().then(
          () => this.isStillSmall(template),
          () => false,
        );
    if (again && !this.closed) {
      slot.held = { kind: template.kind, ready: true };
      template.busy = false;
      return;
    }
    await this.discard(template);
    if (old) this.ranOtherwise(template);
    else this.countLost(template);
  }

  /** What it had asked for from the kernel before, it may have filled meanwhile. */
  private isStillSmall(template: Template): boolean {
    try {
      template.memory = this.measure(template.slot, template.key);
      this.keepWithin(this.options.memoryBytes);
      return true;
    } catch {
      return false;
    }
  }

  private countLost({ kind, runs }: Template): void {
    const use = this.uses.get(kind.key);
    if (!use) return;
    use.lost = runs < FEW_RUNS ? use.lost + 1 : 0;
    if (use.lost < MOST_LOST) return;
    use.lost = 0;
    use.refusedUntil = Date.now() + REFUSED_MS;
  }

  /** A run has ended that could have been forked, and was not. */
  ranOtherwise(wish: TemplateWish): void {
    const { key } = wish.kind;
    const { owner } = wish;
    const use = this.uses.get(key);
    const same = [...this.all].filter(({ kind }) => kind.key === key);
    const enough = same.some(({ busy }) => !busy) || same.length >= this.options.mostOfAKind;
    if (
      this.closed ||
      !use ||
      use.times < this.options.enough ||
      use.refusedUntil > Date.now() ||
      this.making.has(key) ||
      this.making.size >= MOST_MAKING ||
      [...this.making.values()].includes(owner) ||
      enough
    )
      return;
    this.making.set(key, owner);
    void this.make(wish).finally(() => this.making.delete(key));
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await Promise.all([...this.all].map((template) => this.discard(template)));
  }

  private get bytes(): number {
    return [...this.all].reduce((sum, { memory }) => sum + memory, 0);
  }

  private note(key: string): void {
    const now = Date.now();
    const { last = 0, times = 0, refusedUntil = 0, lost = 0 } = this.uses.get(key) ?? {};
    // The last in the map is the last used.
    this.uses.delete(key);
    const paused = now - last >= this.options.unusedMs;
    this.uses.set(key, { last: now, times: paused ? 1 : times + 1, refusedUntil, lost });
    const [oldest] = this.uses.keys();
    if (this.uses.size > MOST_USES && oldest !== undefined) this.uses.delete(oldest);
  }

  private async make(wish: TemplateWish): Promise<void> {
    const { kind, key, app } = wish;
    let slot: Slot | null = null;
    try {
      slot = await this.options.open(key);
      await slot.becomeTemplate(kind, app, MAKE_MS);
      const memory = this.measure(slot, key);
      if (this.closed) throw new Error('the sandbox has been closed');
      this.made++;
      const now = Date.now();
      const template = { ...wish, slot, memory, madeAt: now, usedAt: now, runs: 0, busy: false };
      this.all.add(template);
      void slot.launcher.gone.then(() => {
        if (this.all.has(template) && !template.busy) void this.discard(template);
      });
      this.keepWithin(this.options.memoryBytes);
    } catch (error) {
      this.refused++;
      this.reason = (error as Error).message;
      const use = this.uses.get(kind.key);
      if (use) use.refusedUntil = Date.now() + REFUSED_MS;
      await slot?.close();
    }
  }

  /** What is its own counts for it, and a run may have as much as ever. @throws Error where it is too much */
  private measure(slot: Slot, key: string): number {
    const memory = slot.memory?.used() ?? Infinity;
    if (memory > Math.min(MOST_BYTES, this.options.memoryBytes))
      throw new Error('its imports take too much memory');
    slot.memory?.limit(this.options.limitBytes(key) + memory);
    return memory;
  }

  /** Those that were used last stay. */
  private keepWithin(bytes: number): void {
    const idle = [...this.all].filter(({ busy }) => !busy).sort((one, other) => one.usedAt - other.usedAt);
    while (this.bytes > bytes) {
      const oldest = idle.shift();
      if (!oldest) return;
      void this.discard(oldest);
    }
  }

  private look(): void {
    const now = Date.now();
    const { unusedMs, mostMs } = this.options;
    for (const template of this.all) {
      if (template.busy) continue;
      if (now - template.usedAt >= unusedMs || now - template.madeAt >= mostMs) void this.discard(template);
    }
    for (const [key, { last, refusedUntil }] of this.uses)
      if (now - last >= unusedMs && refusedUntil < now) this.uses.delete(key);
    if (process.availableMemory() < SPARE_BYTES) this.keepWithin(0);
  }

  private discard(template: Template): Promise<void> {
    this.all.delete(template);
    return template.slot.close();
  }
}
