import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import '@shopify/shopify-api/adapters/node';
import { createSHA256HMAC, HashFormat } from '@shopify/shopify-api/runtime';
import { sign as githubSignature } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';

import { PYTHON, pythonPackage } from '../../libs/egress/test/python-package.js';
import type { Json } from '../../libs/testing/index.js';
import { baseUrl } from '../support/gatehouse.js';
import { hook, newHookWorld, receiptsOf, send, setSecret } from '../support/hooks.js';
import type { TriggerWorld } from '../support/triggers.js';

const exec = promisify(execFile);
const KEY = 'f2b5a8c1d4e7';
const STANDARD_KEY = `whsec_${Buffer.from('thirty-two-bytes-of-a-secret-key').toString('base64')}`;
const now = (): number => Math.floor(Date.now() / 1000);

type Headers = Record<string, string>;

/** Runs a program with a package of PyPI, and what it prints is the headers. */
async function inPython(requirement: string, program: string, body: string): Promise<Headers> {
  const folder = await pythonPackage(requirement);
  const env = { ...process.env, PYTHONPATH: folder };
  const { stdout } = await exec(PYTHON, ['-c', `import json, sys\nbody = sys.argv[1]\n${program}`, body], {
    env,
  });
  return JSON.parse(stdout) as Headers;
}

/** Each preset, signed by what its vendor gives to others. */
const SENDERS: Record<string, { scheme: string; key: string; headers: (body: string) => Promise<Headers> }> =
  {
    'GitHub (@octokit/webhooks-methods)': {
      scheme: 'github',
      key: KEY,
      headers: async (body) => ({
        'x-hub-signature-256': await githubSignature(KEY, body),
        'x-github-delivery': '72d3162e',
      }),
    },
    'Stripe (stripe of npm)': {
      scheme: 'stripe',
      key: KEY,
      headers: (payload) =>
        Promise.resolve({
          'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: KEY }),
        }),
    },
    'Standard Webhooks (standardwebhooks of npm)': {
      scheme: 'standard-webhooks',
      key: STANDARD_KEY,
      headers: (body) =>
        Promise.resolve({
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(now()),
          'webhook-signature': new Webhook(STANDARD_KEY).sign('msg_1', new Date(), body),
        }),
    },
    'Standard Webhooks by older names (svix)': {
      scheme: 'standard-webhooks',
      key: STANDARD_KEY,
      headers: (body) =>
        Promise.resolve({
          'svix-id': 'msg_3',
          'svix-timestamp': String(now()),
          'svix-signature': new Webhook(STANDARD_KEY).sign('msg_3', new Date(), body),
        }),
    },
    'Standard Webhooks (standardwebhooks of PyPI)': {
      scheme: 'standard-webhooks',
      key: STANDARD_KEY,
      headers: (body) =>
        inPython(
          'standardwebhooks==1.1.0',
          `from datetime import datetime, timezone
from standardwebhooks import Webhook
at = datetime.now(timezone.utc)
print(json.dumps({"webhook-id": "msg_2", "webhook-timestamp": str(int(at.timestamp())),
  "webhook-signature": Webhook("${STANDARD_KEY}").sign("msg_2", at, body)}))`,
          body,
        ),
    },
    'Slack (slack-sdk of PyPI)': {
      scheme: 'slack',
      key: KEY,
      headers: (body) =>
        inPython(
          'slack-sdk==3.48.0',
          `import time
from slack_sdk.signature import SignatureVerifier
at = str(int(time.time()))
print(json.dumps({"x-slack-request-timestamp": at,
  "x-slack-signature": SignatureVerifier("${KEY}").generate_signature(timestamp=at, body=body)}))`,
          body,
        ),
    },
    'Shopify (@shopify/shopify-api)': {
      scheme: 'shopify',
      key: KEY,
      headers: async (body) => ({
        'x-shopify-hmac-sha256': await createSHA256HMAC(KEY, body, HashFormat.Base64),
        'x-shopify-webhook-id': 'b54557e4',
      }),
    },
  };

let world: TriggerWorld;
beforeAll(async () => {
  world = await newHookWorld();
  await setSecret(world.api, 'KEY', KEY);
  await setSecret(world.api, 'STANDARD', STANDARD_KEY);
});

const verifying = (scheme: string): Promise<Json> => {
  const secret = scheme === 'standard-webhooks' ? 'STANDARD' : 'KEY';
  return hook(world.api, world.script, { verify: { scheme, secret } });
};

describe.each(Object.entries(SENDERS))('%s', (_, { scheme, headers }) => {
  // Not only ASCII, and with a blank that a parser would take away.
  const body = '{"id":"evt_1", "text":"Grüße 🎉"}';

  it('is taken as its vendor signs, and nothing else is', async () => {
    const made = await verifying(scheme);
    const signed = await headers(body);
    const answer = await send(made, body, signed);
    expect(answer.status, answer.text).toBe(202);
    expect((await send(made, body.replace(' ', ''), signed)).status).toBe(404);
    const name = Object.keys(signed).find((header) => /signature|hmac/.test(header))!;
    const value = signed[name]!;
    const other = value.replace(/.(?=.{4}$)/, (digit) => (digit === 'a' ? 'b' : 'a'));
    expect((await send(made, body, { ...signed, [name]: other })).status).toBe(404);
    expect((await send(made, body, { ...signed, [name]: '' })).status).toBe(404);
    expect((await send(made, body)).status).toBe(404);
    expect((await receiptsOf(world.api, made)).map(({ verdict }) => verdict as string)).toEqual([
      'refused',
      'refused',
      'refused',
      'refused',
      'accepted',
    ]);
  });
});

it.each([
  [
    'gitlab',
    {},
    { 'x-gitlab-token': KEY, 'x-gitlab-event-uuid': '13792a34' },
    { 'x-gitlab-token': `${KEY}x` },
  ],
  ['token', {}, { authorization: `Bearer ${KEY}` }, { authorization: KEY }],
  ['token', { header: 'x-token' }, { 'x-token': KEY }, { authorization: `Bearer ${KEY}` }],
  [
    'basic',
    { username: 'shop' },
    { authorization: `Basic ${Buffer.from(`shop:${KEY}`).toString('base64')}` },
    { authorization: `Basic ${Buffer.from(`other:${KEY}`).toString('base64')}` },
  ],
])('%s %j takes what is right', async (scheme, fields, right: object, wrong: object) => {
  const made = await hook(world.api, world.script, { verify: { scheme, secret: 'KEY', ...fields } });
  expect((await send(made, '{}', right as Headers)).status).toBe(202);
  expect((await send(made, '{}', wrong as Headers)).status).toBe(404);
});

it('takes what a sender cannot change, keeps it as it came, and runs it again', async () => {
  const made = await hook(world.api, world.script, {
    verify: { scheme: 'github', secret: 'KEY' },
    inputs: { what: '{{request.body}}' },
  });
  const payload = '{"id":8202522731445525542,"text":"nul \\u0000, half \\ud83d"}';
  const form = new URLSearchParams({ payload }).toString();
  const sent = await send(made, form, {
    'content-type': 'application/x-www-form-urlencoded',
    'x-hub-signature-256': await githubSignature(KEY, form),
  });
  expect(sent.status, sent.text).toBe(202);
  const [receipt] = await receiptsOf(world.api, made);
  const path = `/v1/hooks/${made.id as string}/receipts/${receipt!.id as string}`;
  expect((await world.api.get(path)).body).toMatchObject({ body: form });
  const replayed = await world.api.post(`${path}/replay`, {});
  expect(replayed.body.inputs).toEqual({
    what: { id: '8202522731445525542', text: 'nul \ufffd, half \ufffd' },
  });
});

it('takes no request that is too old, or from too far ahead', async () => {
  const made = await verifying('stripe');
  for (const [seconds, status] of [
    [-290, 202],
    [-310, 404],
    [310, 404],
  ] as const) {
    const payload = JSON.stringify({ id: `evt${seconds}` });
    const timestamp = now() + seconds;
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: KEY, timestamp });
    expect((await send(made, payload, { 'stripe-signature': header })).status).toBe(status);
  }
});

it("answers Slack's handshake once it is signed", async () => {
  const made = await verifying('slack');
  const body = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aB10FEMAGAZd4Fy' });
  const answer = await send(made, body, await SENDERS['Slack (slack-sdk of PyPI)']!.headers(body));
  expect([answer.status, answer.body]).toEqual([200, { challenge: '3eZbrw1aB10FEMAGAZd4Fy' }]);
  expect((await send(made, body)).status).toBe(404);
  expect((await receiptsOf(world.api, made)).at(-1)).toMatchObject({ verdict: 'handshake', runId: null });
});

it("answers Meta's handshake to whoever knows the token", async () => {
  const verify = {
    ...{ scheme: 'hmac', secret: 'KEY', header: 'x-hub-signature-256', algorithm: 'sha256', encoding: 'hex' },
    ...{ prefix: 'sha256=', verifyToken: 'HOOK_KEY' },
  };
  const made = await hook(world.api, world.script, { verify });
  const asked = async (query: Record<string, string>) => {
    const url = new URL(new URL(made.url as string).pathname, baseUrl());
    url.search = String(new URLSearchParams(query));
    const response = await fetch(url);
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  const right = {
    'hub.mode': 'subscribe',
    'hub.verify_token': 'a-key-that-only-two-know',
    'hub.challenge': '1158',
  };
  expect(await asked(right)).toEqual([200, 'text/plain; charset=utf-8', '1158']);
  for (const wrong of [{ 'hub.verify_token': 'x' }, { 'hub.challenge': '<script>' }, { 'hub.mode': 'x' }]) {
    expect((await asked({ ...right, ...wrong }))[0]).toBe(404);
  }
  const body = '{"object":"page"}';
  expect((await send(made, body, { 'x-hub-signature-256': await githubSignature(KEY, body) })).status).toBe(
    202,
  );
});
