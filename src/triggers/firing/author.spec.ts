import { describe, expect, it } from 'vitest';

import type { Role } from '../../core/access/index.js';
import { authorOf, authorProblem } from './author.js';
import { listeningTrigger } from './listening-trigger.fixture.js';
import type { ListeningTrigger } from './matches.js';

const trigger = (more: Partial<ListeningTrigger> = {}): ListeningTrigger =>
  listeningTrigger({ createdByUserId: 'usr_creator', authorUserId: 'usr_author', ...more });

describe('authorProblem', () => {
  it.each<[string, Partial<ListeningTrigger>, Role | null, boolean, RegExp | null]>([
    ['a member', {}, 'member', true, null],
    ['a guest', {}, 'guest', true, /is guest now, and may not follow events of the type run\.failed/],
    ['one who has left', {}, null, true, /is not a member of the workspace any more/],
    ['a creator who has left, of whom the run says so', { authorUserId: 'usr_creator' }, null, true, null],
    ['one whom the type is not for', {}, 'member', false, /is member now, and may not follow/],
  ])('%s', (_, more, role, mayFollow, problem) => {
    const found = authorProblem(trigger(more), role, () => mayFollow);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });
});

describe('authorOf', () => {
  it('is the author, not the creator, with the scripts that their app was given', () => {
    expect(authorOf(trigger({ authorScriptChoice: 'grt_1' }), 'member')).toMatchObject({
      kind: 'session',
      person: { id: 'usr_author' },
      role: 'member',
      scriptChoice: 'grt_1',
    });
  });

  it('is an API key without a person', () => {
    expect(authorOf(trigger({ authorUserId: null }), 'admin')).toMatchObject({
      kind: 'api_key',
      person: null,
    });
  });
});
