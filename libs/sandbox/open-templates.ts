import type { BoxUsers } from './box-users.js';
import type { GroupTree } from './cgroups.js';
import { freeMemory } from './free-memory.js';
import type { KeptOptions } from './kept.js';
import type { Slot } from './slot.js';
import { slotKindOf } from './slot-kind.js';
import { type TemplateOptions, Templates } from './templates.js';

/** What of the machine, and of what was asked for, templates depend on. */
interface TemplateParts {
  templates: TemplateOptions | null;
  kept: KeptOptions | null;
  groups: GroupTree | null;
  users: BoxUsers;
  maxSlots: number;
}

/** Without a run for longer, it is not known any more how often it was asked for. */
const UNUSED_MS = 10 * 60_000;
const SPARE_BYTES = 384 * 1024 * 1024;
/** Memory bounds how many there are; this only how many slots, each with users, processes and descriptors of its own. */
const MOST_TEMPLATES = 128;
const MOST_KEPT = 32;
/** How soon memory is given back that the machine needs. */
const LOOK_EVERY_MS = 1000;

/** Only where memory is counted, and boxes have users of their own: a box that stays is known by both. */
function canStand({ groups, users }: TemplateParts): boolean {
  return groups !== null && users.kind !== 'own';
}

export function openTemplates(parts: TemplateParts, open: (key: string) => Promise<Slot>): Templates | null {
  if (!parts.templates || !canStand(parts)) return null;
  return new Templates({
    memoryBytes: freeMemory() / 4,
    spareBytes: SPARE_BYTES,
    enough: 2,
    unusedMs: UNUSED_MS,
    mostRuns: 500,
    mostMs: 15 * 60_000,
    ...parts.templates,
    purpose: 'template',
    most: Math.max(MOST_TEMPLATES, parts.maxSlots),
    mostOfAKind: parts.maxSlots,
    lookEveryMs: LOOK_EVERY_MS,
    open,
    limitBytes: (key) => slotKindOf(key).limits.memoryBytes,
  });
}

/** Processes that stay for several runs: the first run starts as ever, and one is made ready for the next. */
export function openKept(parts: TemplateParts, open: (key: string) => Promise<Slot>): Templates | null {
  if (!parts.kept || !canStand(parts)) return null;
  return new Templates({
    memoryBytes: freeMemory() / 4,
    spareBytes: SPARE_BYTES,
    most: Math.max(MOST_KEPT, parts.maxSlots),
    ...parts.kept,
    enough: 1,
    unusedMs: UNUSED_MS,
    mostRuns: Infinity,
    mostMs: Infinity,
    purpose: 'stay',
    mostOfAKind: parts.maxSlots,
    lookEveryMs: LOOK_EVERY_MS,
    open,
    limitBytes: (key) => slotKindOf(key).limits.memoryBytes,
  });
}
