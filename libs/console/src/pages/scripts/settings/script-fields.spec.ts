import { describe, expect, it } from 'vitest';

import { type ScriptFields, patchOf } from './script-fields.js';

const before: ScriptFields = {
  name: 'Report',
  description: '',
  tags: ['a'],
  access: 'teams',
  teamIds: ['t1'],
  approvalPolicy: 'none',
  ask: null,
  queue: null,
  retention: null,
};

describe('patchOf', () => {
  it('sends only what differs', () => {
    expect(patchOf(before, { ...before, name: 'New', tags: ['a', 'b'] })).toEqual({
      name: 'New',
      tags: ['a', 'b'],
    });
    expect(patchOf({ ...before, queue: 'imports' }, before)).toEqual({ queue: null });
    expect(patchOf(before, { ...before, retention: { runs: 7 } })).toEqual({ retention: { runs: 7 } });
    expect(patchOf(before, before)).toEqual({});
  });

  it('names no team where the whole workspace has access', () => {
    expect(patchOf(before, { ...before, access: 'workspace' })).toEqual({ access: 'workspace' });
  });

  it('names the teams where it is shared with them', () => {
    const open: ScriptFields = { ...before, access: 'workspace', teamIds: [] };
    expect(patchOf(open, { ...open, access: 'teams', teamIds: ['t2'] })).toEqual({
      access: 'teams',
      teamIds: ['t2'],
    });
    expect(patchOf(before, { ...before, teamIds: ['t1', 't2'] })).toEqual({ teamIds: ['t1', 't2'] });
  });
});
