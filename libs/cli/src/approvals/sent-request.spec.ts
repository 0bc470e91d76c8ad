import type { ApprovalRequest } from '@gatehouse/client';
import { describe, expect, it } from 'vitest';

import { SENT_REQUEST } from './sent-request.js';

const shown = (action: string, input: object): Record<string, unknown> =>
  Object.fromEntries(
    SENT_REQUEST.flatMap(([head, text]) => {
      const value = text({ action, input } as ApprovalRequest);
      return value ? [[head, value]] : [];
    }),
  );

const SENT = {
  method: 'POST',
  address: 'https://pay.example.com/v1/refunds',
  query: 'dry=no',
  headers: ['content-type: application/json', 'authorization: [masked]'],
  body: '{\n  "amount": 12\n}',
  bodyBytes: 13,
  bodyCut: false,
  bodySha256: 'abc',
  changes: ['- "amount": 10', '+ "amount": 12'],
};

describe('a request that waits for a yes', () => {
  it('is shown with all that anybody may see of it', () => {
    expect(shown('request.send', SENT)).toEqual({
      Sends: 'POST https://pay.example.com/v1/refunds?dry=no',
      Headers: '\n    content-type: application/json\n    authorization: [masked]',
      Body: '13 bytes, SHA-256 abc\n    {\n      "amount": 12\n    }',
      Differs: '\n    - "amount": 10\n    + "amount": 12',
    });
  });

  it('says what of its body is not shown', () => {
    const body = (fields: object) => shown('request.send', { ...SENT, ...fields })['Body'];
    expect(body({ body: null })).toBe('13 bytes, SHA-256 abc, not shown');
    expect(body({ bodyCut: true, bodySha256: null, body: 'a' })).toBe('the beginning of 13 bytes\n    a');
    expect(body({ bodyBytes: 0, body: null })).toBeUndefined();
  });

  it('has what is left of one whose run is gone', () => {
    const { method, address, bodyBytes } = SENT;
    const gone = { method, address, bodyBytes, isForgotten: true, query: null, headers: [], changes: [] };
    expect(shown('request.send', gone)).toEqual({
      Sends: 'POST https://pay.example.com/v1/refunds',
      Body: '13 bytes, not shown',
    });
  });

  it('adds nothing to other requests', () => {
    expect(shown('team.create', { name: 'Growth' })).toEqual({});
  });
});
