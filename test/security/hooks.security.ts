import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { database, localClient } from '../support/gatehouse.js';
import {
  HMAC,
  hook,
  KEY,
  newHookWorld,
  receiptsOf,
  runsOfHook,
  send,
  sendSigned,
  signed,
} from '../support/hooks.js';
import { byToken } from '../support/people.js';
import { leaveHeld, type TriggerWorld } from '../support/triggers.js';

let world: TriggerWorld;
let made: Json;
beforeAll(async () => {
  world = await newHookWorld();
  made = await hook(world.api, world.script);
});

describe('whoever may send nothing', () => {
  it('cannot tell an address that there is from one that there is not', async () => {
    const { pathname } = new URL(made.url as string);
    const address = pathname.split('/')[2]!;
    const off = await hook(world.api, world.script);
    await world.api.patch(`/v1/hooks/${off.id}`, { enabled: false });
    const answers = await Promise.all(
      [
        made.url as string,
        off.url as string,
        (made.url as string).replace(address, 'A'.repeat(address.length)),
        (made.url as string).replace(address, 'short'),
        (made.url as string).replace(address, made.id as string),
      ].map((url) => send({ url } as never, '{}', { 'x-signature': '00' })),
    );
    const told = answers.map(({ status, body }) => ({
      status,
      error: { ...body.error, requestId: undefined },
      kept: Object.keys(body),
    }));
    for (const one of told) expect(one).toEqual(told[0]);
    expect(told[0]!.status).toBe(404);
  });

  it('fills no table: refused requests are few, without bodies, and told of once a minute', async () => {
    const flooded = await hook(world.api, world.script);
    const body = JSON.stringify({ secret: 'x'.repeat(100_000) });
    const statuses = new Set<number>();
    const began = performance.now();
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => send(flooded, body, signed('other'))),
      );
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([404]);
    const { rows } = await database().query(
      `SELECT (SELECT count(*)::int FROM hook_receipts WHERE hook_id = $1) AS receipts,
         (SELECT count(*)::int FROM hook_receipts WHERE hook_id = $1 AND body IS NOT NULL) AS bodies,
         (SELECT count(*)::int FROM events WHERE type = 'hook.refused' AND data ->> 'id' = $1) AS told`,
      [flooded.id],
    );
    const seconds = (performance.now() - began) / 1000;
    expect(rows[0]!.receipts).toBeLessThanOrEqual(30 + Math.ceil(seconds / 2));
    expect(rows[0]).toMatchObject({ bodies: 0, told: 1 });
    expect(await runsOfHook(flooded)).toEqual([]);
  });

  it.each([
    ['no signature', {}],
    ['an empty one', { 'x-signature': '' }],
    ['another key', { 'x-signature': signed('{}', 'other')['x-signature']! }],
    ['the signature of another body', signed('{ }')],
    ['a shorter one', { 'x-signature': signed('{}')['x-signature']!.slice(0, 32) }],
    ['a longer one', { 'x-signature': `${signed('{}')['x-signature']!}00` }],
    ['the key itself', { 'x-signature': KEY }],
  ] as [string, Record<string, string>][])('is not let in by %s', async (_, headers) => {
    expect((await send(made, '{}', headers)).status).toBe(404);
    expect(await runsOfHook(made)).toEqual([]);
  });

  it('is not let in where the secret has no value, or is gone', async () => {
    const without = await hook(world.api, world.script, { verify: { ...HMAC, secret: 'NOT_SET' } });
    for (const key of ['', 'undefined', 'null']) {
      expect((await send(without, '{}', signed('{}', key || ' '))).status).toBe(404);
    }
    const reason = 'the secret NOT_SET has no value in the environment of the hook';
    expect((await receiptsOf(world.api, without))[0]).toMatchObject({ verdict: 'refused', reason });
  });

  it('cannot send a compressed body, nor one that is too large', async () => {
    expect((await send(made, '{}', { ...signed('{}'), 'content-encoding': 'gzip' })).status).toBe(415);
    const large = `"${'x'.repeat(1_048_576)}"`;
    expect((await send(made, large, signed(large))).status).toBe(413);
  });
});

describe('a sender', () => {
  it('cannot reach what is inherited, nor write it', async () => {
    const inputs = {
      what: ['{{request.body.constructor.name}}', '{{request.body.__proto__}}', '{{request.body.a}}'],
    };
    const curious = await hook(world.api, world.script, { inputs });
    expect((await sendSigned(curious, { a: 1 })).status).toBe(202);
    const body = '{"__proto__": {"polluted": true}, "a": 2}';
    expect((await send(curious, body, signed(body))).status).toBe(400);
    const form = '__proto__=x&a=3';
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(curious, form, { ...signed(form), ...type })).status).toBe(202);
    expect((await runsOfHook(curious)).map((run) => run.inputs.what)).toEqual([
      [null, null, 1],
      [null, null, '3'],
    ]);
  });

  it.each([
    ['is nested too deeply', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['has too many values', JSON.stringify(Array.from({ length: 30_000 }, () => 1))],
    ['is no JSON', '{"a":'],
  ])('is told where a body %s, and no run is started', async (_, body) => {
    const strict = await hook(world.api, world.script);
    expect((await send(strict, body, signed(body))).status).toBe(400);
    expect(await runsOfHook(strict)).toEqual([]);
    expect(await receiptsOf(world.api, strict)).toMatchObject([{ verdict: 'refused' }]);
  });

  it('cannot make inputs without end of a short request', async () => {
    const inputs = { what: Array.from({ length: 40 }, () => '{{request.body}}') };
    const amplifying = await hook(world.api, world.script, { inputs });
    const text = 'x'.repeat(60_000);
    expect((await send(amplifying, text, { ...signed(text), 'content-type': 'text/plain' })).status).toBe(
      202,
    );
    expect(await runsOfHook(amplifying)).toMatchObject([
      { status: 'failed', error: expect.stringContaining('larger than 1 MiB') as string },
    ]);
  });

  it('is slowed down by itself, and nobody else is', async () => {
    const flooding = await hook(world.api, world.script, { filter: { 'body.never': 1 } });
    const statuses: number[] = [];
    const refused = () => statuses.filter((status) => status === 429);
    // It may send more all the while.
    while (refused().length <= 50) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => sendSigned(flooding, {})));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect((await sendSigned(await hook(world.api, world.script), {})).status).toBe(202);
  });
});

describe('what is kept of a request', () => {
  it('proves nothing, whatever headers the hook asks for', async () => {
    const headers = ['authorization', 'cookie', 'x-signature', 'x-hub-signature-256', 'x-mine'];
    const inputs = { what: '{{request.headers}}' };
    const greedy = await hook(world.api, world.script, { headers, inputs });
    const sent = {
      authorization: 'Bearer a',
      cookie: 'a=b',
      'x-hub-signature-256': 'sha256=0',
      'x-mine': 'yes',
    };
    const { body } = await sendSigned(greedy, {}, sent);
    const receipt = (await world.api.get(`/v1/hooks/${greedy.id}/receipts/${body.id}`)).body;
    expect(receipt.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': expect.any(String),
      'x-mine': 'yes',
    });
    expect((await runsOfHook(greedy))[0]!.inputs.what).toEqual(receipt.headers);
  });

  it('is for nobody of another workspace, or of another hook', async () => {
    const { body } = await sendSigned(made, {});
    const other = await newHookWorld();
    const theirs = await hook(other.api, other.script);
    for (const id of [made.id, theirs.id]) {
      expect((await other.api.get(`/v1/hooks/${id}/receipts/${body.id}`)).status).toBe(404);
      expect((await other.api.post(`/v1/hooks/${id}/receipts/${body.id}/replay`, {})).status).toBe(404);
    }
    expect((await other.api.post(`/v1/hooks/${made.id}/rotate`)).status).toBe(404);
    const guest = byToken(await world.workspace.person('guest'), world.workspace);
    expect((await guest.get(`/v1/hooks/${made.id}/receipts/${body.id}`)).status).toBe(403);
  });

  it('has no address and no key, in the database either', async () => {
    const { rows } = await database().query(
      'SELECT row_to_json(h)::text AS hook FROM hooks h WHERE id = $1',
      [made.id],
    );
    const address = new URL(made.url as string).pathname.split('/')[2]!;
    expect(rows[0]!.hook).not.toContain(address);
    expect(rows[0]!.hook).not.toContain(KEY);
  });
});

describe('a workspace of which thousands of runs wait already', () => {
  it('takes no further request, says to try again, and counts it', async () => {
    const full = await newHookWorld();
    const own = await hook(full.api, full.script);
    const counted = async () => {
      const { text } = await localClient().get('/metrics');
      return Number(/^gatehouse_hook_requests_total\{outcome="unavailable"\} (\d+)$/m.exec(text)?.[1]);
    };
    await leaveHeld(full, 20_000);
    const before = await counted();
    const { status, headers } = await sendSigned(own, {});
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect(await runsOfHook(own)).toEqual([]);
    // By those of other tests, too.
    expect(await counted()).toBeGreaterThan(before);
  });
});

describe('what no database holds', () => {
  it.each([
    ['a parameter', {}, '?what=%00'],
    ['a body', { what: '\0' }, ''],
  ])('is replaced in %s', async (_, body, search) => {
    const inputs = { what: '{{request.query.what}}{{request.body.what}}' };
    const own = await hook(world.api, world.script, { inputs });
    const { status } = await sendSigned({ ...own, url: `${own.url}${search}` }, body);
    expect(status).toBe(202);
    expect(await runsOfHook(own)).toMatchObject([{ inputs: { what: '\ufffd' } }]);
  });

  it('is no name of a request either', async () => {
    const verify = { scheme: 'slack', secret: 'HOOK_KEY' };
    const own = await hook(world.api, world.script, { verify });
    const body = JSON.stringify({ event_id: '\0' });
    const at = String(Math.floor(Date.now() / 1000));
    const signature = `v0=${signed(`v0:${at}:${body}`)['x-signature']}`;
    const headers = { 'x-slack-request-timestamp': at, 'x-slack-signature': signature };
    expect((await send(own, body, headers)).status).toBe(202);
    expect(await receiptsOf(world.api, own)).toMatchObject([{ verdict: 'accepted', providerId: null }]);
  });

  it('tells nothing to who only has the address', async () => {
    const own = await hook(world.api, world.script);
    const many = new URLSearchParams(Array.from({ length: 1_500 }, (): [string, string] => ['a', '']));
    expect((await send({ ...own, url: `${own.url}?${many}` }, '{}')).status).toBe(404);
  });
});

describe('the same request', () => {
  it('cannot be kept from coming by whoever guesses its name', async () => {
    const own = await hook(world.api, world.script);
    expect((await send(own, '{"forged":1}', { 'x-id': 'known', 'x-signature': '00' })).status).toBe(404);
    await sendSigned(own, { n: 1 }, { 'x-id': 'known' });
    expect(await runsOfHook(own)).toHaveLength(1);
  });
});
