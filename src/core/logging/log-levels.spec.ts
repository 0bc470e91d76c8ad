import { describe, expect, it } from 'vitest';

import { EVERYTHING, LogLevels } from './log-levels.js';

describe('LogLevels', () => {
  it('writes what the setting says', () => {
    const levels = new LogLevels('warn');
    expect(['fatal', 'error', 'warn'].every((level) => levels.writes(level as 'fatal'))).toBe(true);
    expect([levels.writes('info'), levels.writes('debug')]).toEqual([false, false]);
  });

  it('writes more of one workspace, and of no other, until it is taken back', () => {
    const levels = new LogLevels('warn');
    levels.raise(new Map([['wks_a', 'info']]));
    expect(levels.writes('info', { workspaceId: 'wks_a' })).toBe(true);
    expect(levels.writes('debug', { workspaceId: 'wks_a' })).toBe(false);
    expect([levels.writes('info', { workspaceId: 'wks_b' }), levels.writes('info')]).toEqual([false, false]);
    levels.raise(new Map());
    expect(levels.writes('info', { workspaceId: 'wks_a' })).toBe(false);
  });

  it('writes more of everything, and never less than the setting says', () => {
    const levels = new LogLevels('info');
    levels.raise(new Map([[EVERYTHING, 'debug']]));
    expect(levels.writes('debug')).toBe(true);
    levels.raise(new Map([[EVERYTHING, 'error']]));
    expect(levels.writes('info')).toBe(true);
  });
});
