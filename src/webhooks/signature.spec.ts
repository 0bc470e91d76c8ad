import { createHmac } from 'node:crypto';

import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

import { newSigningSecret, signatureHeader, signingKey } from './signature.js';

const id = 'msg_01k7q3v5yzf8c9m2n4p6r8t0vw';
const body = '{"id":"evt_1","type":"ping","createdAt":"2026-01-31T12:00:00.000Z","data":{"message":"Grüße"}}';
const headersOf = (secrets: string[], timestamp = Math.floor(Date.now() / 1000)) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signatureHeader(secrets.map(signingKey), { id, timestamp, body }),
});

describe('newSigningSecret', () => {
  it('is a prefix and 32 random bytes', () => {
    expect(newSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret()).not.toBe(newSigningSecret());
    expect(signingKey(newSigningSecret()).symmetricKeySize).toBe(32);
  });
});

describe('signatureHeader', () => {
  it('is what the library of the scheme verifies', () => {
    const secret = newSigningSecret();
    expect(new Webhook(secret).verify(body, headersOf([secret]))).toEqual(JSON.parse(body));
  });

  it('holds a signature by each secret, any of which verifies', () => {
    const [old, fresh, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const headers = headersOf([fresh, old]);
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
  });

  it('is an HMAC-SHA256 over id, time and body', () => {
    const secret = newSigningSecret();
    const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.1700000000.${body}`)
      .digest('base64');
    expect(headersOf([secret], 1_700_000_000)['webhook-signature']).toBe(`v1,${expected}`);
  });

  it('does not verify another body or time', () => {
    const secret = newSigningSecret();
    const headers = headersOf([secret]);
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
    expect(() => new Webhook(secret).verify(body, later)).toThrow();
  });
});
