import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { DEFAULT_TOLERANCE, type VerifyConfig } from '../verify/verify-config.js';
import { parseBody, receivedOf } from './request-of.js';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const body = (text: string, type: string, scheme = 'none') =>
  parseBody(Buffer.from(text), type, { scheme, secret: 'KEY', tolerance: DEFAULT_TOLERANCE } as VerifyConfig);

describe('the body of a request', () => {
  it.each([
    ['{"id":8202522731445525542}', { id: '8202522731445525542' }],
    ['{"amount":0.1000000000000000055511151231257827}', { amount: '0.1000000000000000055511151231257827' }],
    ['[1e400,7,0.5]', ['1e400', 7, 0.5]],
    ['{"text":"cut \\ud83d"}', { text: 'cut \ufffd' }],
    ['{"a\\u0000":"nul \\u0000"}', { 'a\ufffd': 'nul \ufffd' }],
    ['\ufeff{"a":1}', { a: 1 }],
  ])('%j is taken', (text, value) => expect(body(text, JSON_TYPE)).toEqual(value));

  it('is taken where it is no UTF-8', () => {
    expect(parseBody(Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE, { scheme: 'none' })).toBe('\ufffd');
  });

  it.each(['{"a":', '[1,]', '{"__proto__":{}}', '['.repeat(100) + ']'.repeat(100)])('%s is refused', (text) =>
    expect(() => body(text, JSON_TYPE)).toThrow(),
  );

  it('of GitHub and Slack is the payload of a form', () => {
    const text = `payload=${encodeURIComponent('{"ref":"refs/heads/main","id":8202522731445525542}')}`;
    for (const scheme of ['github', 'slack']) {
      expect(body(text, FORM, scheme)).toEqual({ ref: 'refs/heads/main', id: '8202522731445525542' });
      expect(body('payload=text&b=2', FORM, scheme)).toEqual({ payload: 'text', b: '2' });
      expect(body('command=%2Fdeploy', FORM, scheme)).toEqual({ command: '/deploy' });
    }
    expect(body(text, FORM, 'stripe')).toHaveProperty('payload');
  });

  it('has fields of a form that come twice as a list', () => {
    expect(body('a=1&b=2&a=%00&__proto__=x', FORM)).toEqual({ a: ['1', '\ufffd'], b: '2' });
  });
});

it('takes the older names of Standard Webhooks for the newer ones', () => {
  const message = (headers: object) => ({ headers, url: '/hooks/x?a=%00' }) as unknown as IncomingMessage;
  const older = { 'svix-id': 'msg_3', 'svix-timestamp': '1', 'svix-signature': 'v1,a' };
  const { headers, query } = receivedOf(message(older), Buffer.alloc(0));
  expect(headers).toMatchObject({
    'webhook-id': 'msg_3',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,a',
  });
  expect(query).toEqual({ a: '\ufffd' });
  const both = receivedOf(message({ ...older, 'webhook-id': 'msg_4' }), Buffer.alloc(0));
  expect(both.headers['webhook-id']).toBe('msg_4');
});
