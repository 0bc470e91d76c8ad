import { describe, expect, it } from 'vitest';

import type { Role } from '../../core/access/index.js';
import { authorProblem, authorViewOf } from './author-rights.js';
import type { ListeningTrigger } from './matches.js';

const trigger = (more: Partial<ListeningTrigger> = {}): ListeningTrigger => ({
  id: 'trg_1',
  workspaceId: 'wks_1',
  environmentId: 'env_1',
  scriptId: 'scr_1',
  createdByUserId: 'usr_creator',
  authorUserId: 'usr_author',
  byAgent: false,
  eventType: 'run.failed',
  filter: {},
  inputs: {},
  ...more,
});

describe('authorProblem', () => {
  it.each<[string, Partial<ListeningTrigger>, Role | null, RegExp | null]>([
    ['a member', {}, 'member', null],
    ['a guest', {}, 'guest', /is guest now, and events of the type run\.failed are for members/],
    ['one who has left', {}, null, /is not a member of the workspace any more/],
    ['a creator who has left, of whom the run says so', { authorUserId: 'usr_creator' }, null, null],
    ['a member, of approvals', { eventType: 'approval.requested' }, 'member', /is member now.* for admins/],
    ['an admin, of approvals', { eventType: 'approval.requested' }, 'admin', null],
  ])('%s', (_, more, role, problem) => {
    const found = authorProblem(trigger(more), { role, visible: true });
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });
});

describe('authorViewOf', () => {
  it('asks for the author, not for the creator, and for the script that the event is about', () => {
    const event = {
      id: 'evt_1',
      workspaceId: 'wks_1',
      environmentId: 'env_1',
      type: 'run.failed',
      data: { script: { id: 'scr_2' } },
      causedByRunId: null,
      traceparent: null,
      hops: 0,
      chainEventId: null,
    };
    expect(authorViewOf(event, trigger())).toEqual({
      workspaceId: 'wks_1',
      userId: 'usr_author',
      scriptId: 'scr_2',
    });
  });
});
