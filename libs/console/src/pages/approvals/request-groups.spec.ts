import type { ApprovalRequest } from '@gatehouse/client/operations';
import { describe, expect, it } from 'vitest';

import { requestGroups } from './request-groups.js';

const request = (id: string, fields: Partial<ApprovalRequest> = {}): ApprovalRequest =>
  ({ id, action: 'request.send', status: 'pending', runId: 'run_1', ...fields }) as ApprovalRequest;

const idsOf = (requests: ApprovalRequest[]): string[][] =>
  requestGroups(requests).map((group) => group.requests.map(({ id }) => id));

describe('Requests for approval', () => {
  it('are one group where one run wants to send them, in the place of the first', () => {
    expect(idsOf([request('a'), request('b', { runId: 'run_2' }), request('c')])).toEqual([
      ['a', 'c'],
      ['b'],
    ]);
  });

  it('are the same group when another one comes to wait', () => {
    const ids = (requests: ApprovalRequest[]): string[] => requestGroups(requests).map(({ id }) => id);
    expect(ids([request('b'), request('a')])).toEqual(ids([request('a')]));
  });

  it('stand alone where they are about something else, or decided', () => {
    const held = { action: 'run.start' };
    const decided = { status: 'completed' } as const;
    expect(
      idsOf([request('a', held), request('b', held), request('c', decided), request('d', decided)]),
    ).toEqual([['a'], ['b'], ['c'], ['d']]);
  });
});
