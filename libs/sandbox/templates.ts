import { freeMemory } from './free-memory.js';
import { firstToGiveWay } from './give-way.js';
import type { Slot } from './slot.js';
import { TemplateUses } from './template-uses.js';
import type { TemplateWish } from './template-wish.js';

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
  /** While the machine, or the worker's cgroup, has less memory than this, nothing is kept. Default 384 MiB. */
  spareBytes?: number;
}

interface TemplatesOptions extends Required<TemplateOptions> {
  /** What stands in a slot. A template's own memory is beside that of its runs; what stays for several runs is their process. */
  purpose: 'template' | 'stay';
  /** How many there may be in all. */
  most: number;
  /** A new slot with these limits. */
  open: (key: string) => Promise<Slot>;
  /** For those that nobody uses any more. */
  lookEveryMs: number;
  /** How many there may be of one kind. */
  mostOfAKind: number;
  /** Of a run of one of its slots. */
  limitBytes: (key: string) => number;
}

interface Template extends TemplateWish {
  slot: Slot;
  /** Of its own, in bytes. */
  memory: number;
  madeAt: number;
  usedAt: number;
  runs: number;
  busy: boolean;
  /** Its app's folder is gone, or will be. */
  doomed: boolean;
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
  /** Why, of the one that was refused last, or was ended after a run. */
  reason: string | null;
}

const MAKE_MS = 20_000;
/** So many are being made at a time: each takes a processor for as long as its imports do. */
const MOST_MAKING = 2;
const MOST_BYTES = 256 * MiB;
/** Of a version's memory, in which its next run has to find room. */
const MOST_OF_ITS_OWN = 3 / 4;

/**
 * Interpreters that have imported what one script imports, and are forked for each of its runs. Each has a slot of its own, which it
 * keeps, and serves one run at a time. Where there is none, or all are busy, a run starts in another way.
 */
export class Templates {
  private readonly all = new Set<Template>();
  private readonly uses: TemplateUses;
  /** The owners, by the kind's key. */
  private readonly making = new Map<string, string>();
  private readonly timer: NodeJS.Timeout;
  private closed = false;
  private made = 0;
  private refused = 0;
  private forked = 0;
  private reason: string | null = null;

  constructor(private readonly options: TemplatesOptions) {
    this.uses = new TemplateUses(options);
    const everyMs = Math.min(options.lookEveryMs, options.unusedMs / 2);
    this.timer = setInterval(() => this.look(), everyMs).unref();
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
    this.uses.asked(kind.key);
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
    const { mostRuns = this.options.mostRuns } = template;
    const { mostMs } = this.options;
    const old = template.doomed || template.runs >= mostRuns || Date.now() - template.madeAt >= mostMs;
    const again = old
      ? false
      : await slot.launcher.ready().then(
          () => this.putBack(template),
          (error: Error) => {
            this.reason = error.message;
            return false;
          },
        );
    if (again) return;
    await this.discard(template);
    if (old) this.ranOtherwise(template);
    else this.uses.lost(template.kind.key, template.runs);
  }

  /** What it had asked for from the kernel before, it may have filled meanwhile. false: it may not stay. */
  private putBack(template: Template): boolean {
    if (this.closed || template.doomed) return false;
    try {
      template.memory = this.measure(template.slot, template.key);
    } catch (error) {
      this.reason = (error as Error).message;
      return false;
    }
    template.slot.held = { kind: template.kind, ready: true };
    template.busy = false;
    template.usedAt = Date.now();
    this.uses.goesOn(template.kind.key, template.runs);
    // Where it has to give way to others, it is not its own fault.
    this.keepWithin();
    return true;
  }

  /** A run has ended that could have been forked, and was not. */
  ranOtherwise(wish: TemplateWish): void {
    const { key } = wish.kind;
    const { owner } = wish;
    const same = [...this.all].filter(({ kind }) => kind.key === key);
    const enough = same.some(({ busy }) => !busy) || same.length >= this.options.mostOfAKind;
    if (
      this.closed ||
      !this.uses.isWanted(key) ||
      this.making.has(key) ||
      this.making.size >= MOST_MAKING ||
      [...this.making.values()].includes(owner) ||
      enough
    )
      return;
    if (freeMemory() < this.options.spareBytes) {
      this.reason = 'there is too little memory on the machine';
      this.uses.rest(key);
      return;
    }
    this.making.set(key, owner);
    void this.make(wish).finally(() => this.making.delete(key));
  }

  /** Ends what has an app's folder that is about to be removed, or its run does. It might hold the files. */
  forget(app: string): void {
    for (const template of this.all) {
      if (template.app !== app) continue;
      template.doomed = true;
      if (!template.busy) void this.discard(template);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await Promise.all([...this.all].map((template) => this.discard(template)));
  }

  /** A process that stays has what its run may have, as long as that goes on; a template's memory is beside it. */
  private get counted(): Template[] {
    return [...this.all].filter(({ busy }) => !busy || this.options.purpose === 'template');
  }

  private get bytes(): number {
    return this.counted.reduce((sum, { memory }) => sum + memory, 0);
  }

  private async make(wish: TemplateWish): Promise<void> {
    const { kind, key, app } = wish;
    let slot: Slot | null = null;
    try {
      slot = await this.options.open(key);
      const { purpose } = this.options;
      await slot.stand(kind, purpose, purpose === 'template' ? app : null, MAKE_MS);
      const memory = this.measure(slot, key);
      if (this.closed) throw new Error('the sandbox has been closed');
      this.made++;
      const now = Date.now();
      const template = {
        ...wish,
        slot,
        memory,
        madeAt: now,
        usedAt: now,
        runs: 0,
        busy: false,
        doomed: false,
      };
      this.all.add(template);
      void slot.launcher.gone.then(() => {
        if (this.all.has(template) && !template.busy) void this.discard(template);
      });
      this.keepWithin();
      // The next one would only be made to be given up as well.
      if (!this.all.has(template)) this.uses.rest(kind.key);
    } catch (error) {
      this.refused++;
      this.reason = (error as Error).message;
      this.uses.leaveAlone(kind.key);
      await slot?.close();
    }
  }

  /** What is its own counts for it, and a run may have as much as ever. @throws Error where it is too much */
  private measure(slot: Slot, key: string): number {
    const memory = slot.memory?.used() ?? Infinity;
    const { purpose, memoryBytes } = this.options;
    const limit = this.options.limitBytes(key);
    if (purpose === 'stay') {
      if (memory > memoryBytes) throw new Error('it takes more memory than all may have');
      if (memory > limit * MOST_OF_ITS_OWN) throw new Error('it leaves its next run too little memory');
      return memory;
    }
    if (memory > Math.min(MOST_BYTES, memoryBytes)) throw new Error('its imports take too much memory');
    slot.memory?.limit(limit + memory);
    return memory;
  }

  private keepWithin(memoryBytes = this.options.memoryBytes): void {
    for (;;) {
      const isTooMuch = this.bytes > memoryBytes;
      if (!isTooMuch && this.counted.length <= this.options.most) return;
      const idle = [...this.all].filter(({ busy }) => !busy);
      const first = firstToGiveWay(idle, isTooMuch ? ({ memory }) => memory : () => 1);
      if (!first) return;
      void this.discard(first);
    }
  }

  private look(): void {
    const now = Date.now();
    const { mostMs } = this.options;
    for (const template of this.all) {
      const { unusedMs = this.options.unusedMs } = template;
      if (template.busy) continue;
      if (now - template.usedAt >= unusedMs || now - template.madeAt >= mostMs) void this.discard(template);
    }
    this.uses.look();
    if (freeMemory() < this.options.spareBytes) this.keepWithin(0);
  }

  private discard(template: Template): Promise<void> {
    this.all.delete(template);
    return template.slot.close();
  }
}
