import { Conflict } from '../core/errors/index.js';

export const SCRIPT_STATUSES = ['draft', 'published', 'archived'] as const;
export type ScriptStatus = (typeof SCRIPT_STATUSES)[number];

/** What can be done to a script besides reading it. */
export type ScriptMove = 'change' | 'add_version' | 'publish' | 'unpublish' | 'archive' | 'restore';

const STAYS = null;

/** Which moves a status allows, and where they lead. `STAYS`: the status is left as it is. */
const MOVES: Readonly<Record<ScriptStatus, Partial<Record<ScriptMove, ScriptStatus | typeof STAYS>>>> = {
  draft: { change: STAYS, add_version: STAYS, publish: 'published', archive: 'archived' },
  published: {
    change: STAYS,
    add_version: STAYS,
    publish: 'published',
    unpublish: 'draft',
    archive: 'archived',
  },
  archived: { archive: STAYS, restore: 'draft' },
};

const REFUSALS: Readonly<Record<ScriptMove, string>> = {
  change: 'The script is archived. Restore it before changing it.',
  add_version: 'The script is archived. Restore it before adding a version.',
  publish: 'The script is archived. Restore it before publishing a version.',
  unpublish: 'The script is not published, so there is nothing to take back.',
  archive: 'The script cannot be archived.',
  restore: 'The script is not archived, so there is nothing to restore.',
};

/**
 * The status after a move.
 *
 * @throws Conflict where the status does not allow it
 */
export function statusAfter(status: ScriptStatus, move: ScriptMove): ScriptStatus {
  const next = MOVES[status][move];
  if (next === undefined) throw new Conflict(REFUSALS[move]);
  return next ?? status;
}
