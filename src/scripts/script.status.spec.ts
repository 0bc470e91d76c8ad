import { describe, expect, it } from 'vitest';

import { Conflict } from '../core/errors/index.js';
import { type ScriptMove, type ScriptStatus, statusAfter } from './script.status.js';

const TABLE: [ScriptStatus, ScriptMove, ScriptStatus | null][] = [
  ['draft', 'change', 'draft'],
  ['draft', 'add_version', 'draft'],
  ['draft', 'publish', 'published'],
  ['draft', 'unpublish', null],
  ['draft', 'archive', 'archived'],
  ['draft', 'restore', null],
  ['published', 'change', 'published'],
  ['published', 'add_version', 'published'],
  ['published', 'publish', 'published'],
  ['published', 'unpublish', 'draft'],
  ['published', 'archive', 'archived'],
  ['published', 'restore', null],
  ['archived', 'change', null],
  ['archived', 'add_version', null],
  ['archived', 'publish', null],
  ['archived', 'unpublish', null],
  ['archived', 'archive', 'archived'],
  ['archived', 'restore', 'draft'],
];

describe('statusAfter', () => {
  it.each(TABLE)('%s, %s: %s', (status, move, after) => {
    if (after === null) expect(() => statusAfter(status, move)).toThrow(Conflict);
    else expect(statusAfter(status, move)).toBe(after);
  });
});
