import { describe, expect, it } from 'vitest';

import { APPROVAL_STATUSES, type ApprovalMove, OPEN_STATUSES, statusAfter } from './approval.status.js';

const MOVES: ApprovalMove[] = ['perform', 'grant', 'redeem', 'deny', 'fail', 'expire'];

describe('statusAfter', () => {
  it('allows what the contract lists and nothing else', () => {
    const allowed = APPROVAL_STATUSES.flatMap((status) =>
      MOVES.flatMap((move) => {
        try {
          return [`${status} ${move} ${statusAfter(status, move)}`];
        } catch {
          return [];
        }
      }),
    );
    expect(allowed).toEqual([
      'pending perform completed',
      'pending grant approved',
      'pending deny denied',
      'pending fail failed',
      'pending expire expired',
      'approved redeem completed',
      'approved fail failed',
      'approved expire expired',
    ]);
  });

  it('says why not', () => {
    expect(() => statusAfter('pending', 'redeem')).toThrow('not approved yet');
    expect(() => statusAfter('expired', 'deny')).toThrow('has expired');
    expect(() => statusAfter('completed', 'redeem')).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('knows what is still open', () => {
    expect(OPEN_STATUSES).toEqual(['pending', 'approved']);
  });
});
