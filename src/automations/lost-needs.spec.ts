import { describe, expect, it } from 'vitest';

import type { DispatchedEvent } from '../core/outbox/index.js';
import { lostNeeds } from './lost-needs.js';

function event(type: string, data: Record<string, unknown>): DispatchedEvent {
  const createdAt = new Date(0);
  return {
    id: 'evt_1',
    workspaceId: 'wsp_1',
    environmentId: null,
    type,
    data,
    causedByRunId: null,
    createdAt,
    traceparent: null,
  };
}

const NOTHING = { scriptIds: [], workspaceIds: [], members: [] };

describe('lostNeeds', () => {
  it.each([
    ['an archived script', event('script.archived', { script: { id: 'scr_1' } }), { scriptIds: ['scr_1'] }],
    [
      'an environment that agents may use no more',
      event('environment.updated', { changed: ['name', 'agentsAllowed'] }),
      { workspaceIds: ['wsp_1'] },
    ],
    [
      'somebody who left',
      event('workspace.member.removed', { userId: 'usr_1' }),
      { members: [{ workspaceId: 'wsp_1', userId: 'usr_1' }] },
    ],
    [
      'somebody with another role',
      event('workspace.member.role_changed', { userId: 'usr_1' }),
      { members: [{ workspaceId: 'wsp_1', userId: 'usr_1' }] },
    ],
  ])('%s', (_, told, lost) => {
    expect(lostNeeds([told])).toEqual({ ...NOTHING, ...lost });
  });

  it('is nothing where nothing is lost', () => {
    expect(lostNeeds([])).toBeNull();
    expect(
      lostNeeds([
        event('environment.updated', { changed: ['name'] }),
        event('script.restored', { script: { id: 'scr_1' } }),
        event('workspace.member.joined', { userId: 'usr_1' }),
      ]),
    ).toBeNull();
  });
});
