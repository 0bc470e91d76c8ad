import { WebhookVerificationError, verifyWebhook } from '@gatehouse/client';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const BODY = '{"id":"evt_1","type":"ping","createdAt":"2026-01-01T00:00:00.000Z","data":{"message":"Grüße"}}';
const NOW = new Date('2026-01-01T00:00:00Z');
const now = NOW.getTime();

function headers(...secrets: string[]): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('msg_1', NOW, BODY)).join(' '),
  };
}

describe('verifyWebhook', () => {
  it.each([
    ['Node’s headers', headers(SECRET)],
    ['Headers', new Headers(headers(SECRET))],
    ['a secret that was rotated', headers(OTHER, SECRET)],
  ])('gives the event: %s', async (_, given) => {
    const event = await verifyWebhook<{ message: string }>(BODY, given, SECRET, { now });
    expect(event).toEqual(JSON.parse(BODY));
    expect(event.data.message).toBe('Grüße');
  });

  it('takes bytes, and several secrets', async () => {
    const bytes = new TextEncoder().encode(BODY);
    expect(await verifyWebhook(bytes, headers(SECRET), [OTHER, SECRET], { now })).toMatchObject({
      id: 'evt_1',
    });
  });

  const refused = (
    body: string,
    given: Record<string, string>,
    secret: string | string[] = SECRET,
    options: object = { now },
  ) => expect(verifyWebhook(body, given, secret, options)).rejects;

  it('refuses what was changed', async () => {
    await refused(BODY.replace('ping', 'pong'), headers(SECRET)).toBeInstanceOf(WebhookVerificationError);
    await refused(BODY, { ...headers(SECRET), 'webhook-id': 'msg_2' }).toThrow('No signature fits');
    await refused(BODY, headers(OTHER)).toThrow('No signature fits');
    await refused(BODY, headers(SECRET), []).toThrow('No signature fits');
    const later = { ...headers(SECRET), 'webhook-timestamp': String(now / 1000 + 1) };
    await refused(BODY, later).toThrow('No signature fits');
  });

  it('refuses signatures of other versions and shapes', async () => {
    for (const signature of [
      'v1a,AAAA',
      'v1',
      'v1,',
      'v1,***',
      headers(SECRET)['webhook-signature']!.slice(0, -4),
    ]) {
      await refused(BODY, { ...headers(SECRET), 'webhook-signature': signature }).toThrow(
        'No signature fits',
      );
    }
  });

  it('refuses what is old, or of the future', async () => {
    const given = headers(SECRET);
    await refused(BODY, given, SECRET, { now: now + 301_000 }).toThrow('301 s away');
    await refused(BODY, given, SECRET, { now: now - 301_000 }).toThrow('301 s away');
    await refused(BODY, given, SECRET, { now: now + 61_000, toleranceSeconds: 60 }).toThrow('61 s away');
    await refused(BODY, { ...given, 'webhook-timestamp': 'soon' }).toThrow('malformed');
  });

  it('says which header is missing, and never the secret', async () => {
    const { 'webhook-signature': _, ...rest } = headers(SECRET);
    await refused(BODY, rest).toThrow('webhook-signature is missing');
    await refused(BODY, headers(SECRET), 'svc_sk_something').toThrow(/^((?!something).)*$/);
  });
});
