import type { BoxUsers } from './box-users.js';
import type { GroupTree } from './cgroups.js';
import type { Slot } from './slot.js';
import { slotKindOf } from './slot-kind.js';
import { type TemplateOptions, Templates } from './templates.js';

/** What of the machine, and of what was asked for, templates depend on. */
interface TemplateParts {
  templates: TemplateOptions | null;
  groups: GroupTree | null;
  users: BoxUsers;
  maxSlots: number;
}

/** Only where memory is counted, and boxes have users of their own: a template's box is known by both. */
export function openTemplates(
  { templates, groups, users, maxSlots }: TemplateParts,
  open: (key: string) => Promise<Slot>,
): Templates | null {
  if (!templates || !groups || users.kind === 'own') return null;
  return new Templates({
    memoryBytes: process.availableMemory() / 4,
    enough: 2,
    unusedMs: 10 * 60_000,
    mostRuns: 500,
    mostMs: 15 * 60_000,
    ...templates,
    mostOfAKind: maxSlots,
    open,
    limitBytes: (key) => slotKindOf(key).limits.memoryBytes,
  });
}
