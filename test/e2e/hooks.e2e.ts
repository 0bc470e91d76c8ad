import { describe, expect, it } from 'vitest';

import { client, database } from '../support/gatehouse.js';
import {
  HMAC,
  hook,
  newHookWorld,
  receiptsOf,
  runsOfHook,
  send,
  sendSigned,
  signed,
} from '../support/hooks.js';
import { auditOf, byToken, inApp } from '../support/people.js';
import { newSlug, newVersion, runUntil, finished } from '../support/scripts.js';
import { echo } from '../support/triggers.js';

const paths = (answer: { body: { error: { details: { path: string }[] } } }): string[] =>
  answer.body.error.details.map(({ path }) => path);

/** Of the requests of each verdict: how many bodies are kept. */
async function keptBodies(made: { id: string }): Promise<Record<string, number>> {
  const { rows } = await database().query<{ verdict: string; bodies: number }>(
    `SELECT verdict, count(body)::int AS bodies FROM hook_receipts WHERE hook_id = $1 GROUP BY verdict`,
    [made.id],
  );
  return Object.fromEntries(rows.map(({ verdict, bodies }) => [verdict, bodies]));
}

describe('POST /v1/scripts/{slug}/hooks', () => {
  it('makes one with its defaults, and shows its address once', async () => {
    const { workspace, api, script } = await newHookWorld();
    const verify = { scheme: 'github', secret: 'HOOK_KEY' };
    const answer = await api.post(`/v1/scripts/${script.slug}/hooks`, { name: 'Pushes', verify });
    expect(answer.status, answer.text).toBe(201);
    const { url, ...rest } = answer.body;
    expect(url).toMatch(/\/hooks\/[0-9A-Za-z]{43}$/);
    expect(rest).toEqual({
      id: expect.stringMatching(/^hok_[0-9a-z]{26}$/),
      name: 'Pushes',
      script: { id: script.id, slug: script.slug },
      environment: 'production',
      verify,
      headers: [],
      filter: {},
      inputs: {},
      respond: false,
      enabled: true,
      disabledReason: null,
      createdByUserId: workspace.owner.id,
      lastReceivedAt: null,
    });
    expect((await api.get(`/v1/hooks/${rest.id}`)).body).toEqual(rest);
    expect((await api.get(`/v1/scripts/${script.slug}/hooks`)).body.items).toEqual([rest]);
    expect((await api.get('/v1/hooks')).body.items).toEqual([rest]);
    const { usedBy } = (await api.get(`/v1/scripts/${script.slug}`)).body;
    expect(usedBy.hooks).toEqual([{ id: rest.id, name: 'Pushes', scheme: 'github', enabled: true }]);
    expect(await auditOf(workspace, rest.id)).toMatchObject([
      { action: 'hook.created', details: { script: script.slug, name: 'Pushes', verify: 'github' } },
    ]);
  });

  it('warns of secrets that have no value in its environment', async () => {
    const { api, script } = await newHookWorld();
    const made = async (secret: string) => {
      const verify = { scheme: 'github', secret };
      return (await api.post(`/v1/scripts/${script.slug}/hooks`, { name: secret, verify })).body;
    };
    expect((await made('NOT_YET')).warning).toBe(
      'The secret NOT_YET has no value in the environment production: requests are refused until it is set.',
    );
    expect(await made('HOOK_KEY')).not.toHaveProperty('warning');
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['name', 'verify']],
    ['no scheme', { verify: {} }, ['verify.scheme']],
    ['an unknown scheme', { verify: { scheme: 'md5' } }, ['verify.scheme']],
    ['a scheme without its secret', { verify: { scheme: 'github' } }, ['verify.secret']],
    ['a secret that is no name', { verify: { scheme: 'token', secret: 'a b' } }, ['verify.secret']],
    [
      'a field of another scheme',
      { verify: { scheme: 'github', secret: 'A', header: 'x' } },
      ['verify.header'],
    ],
    ['a header in capitals', { verify: { ...HMAC, header: 'X-A' } }, ['verify.header']],
    ['an unknown algorithm', { verify: { ...HMAC, algorithm: 'md5' } }, ['verify.algorithm']],
    ['a signature without the body', { verify: { ...HMAC, signed: '{id}' } }, ['verify.signed']],
    ['an unknown part', { verify: { ...HMAC, signed: '{body}{url}' } }, ['verify.signed']],
    [
      'a timestamp from nowhere',
      { verify: { ...HMAC, signed: '{timestamp}{body}' } },
      ['verify.timestampHeader'],
    ],
    [
      'a timestamp that is not signed',
      { verify: { ...HMAC, signed: '{body}', timestampHeader: 'x-t', tolerance: 10 } },
      ['verify.signed'],
    ],
    [
      'too much tolerance',
      { verify: { scheme: 'stripe', secret: 'A', tolerance: 3601 } },
      ['verify.tolerance'],
    ],
    ['another part of the request', { inputs: { a: '{{request.method}}' } }, ['inputs.a']],
    ['an unclosed template', { inputs: { a: '{{request.body' } }, ['inputs.a']],
    ['a filter of another part', { filter: { 'event.x': 1 } }, ['filter.event.x']],
    ['a header that is none', { headers: ['a b'] }, ['headers']],
    ['inputs that the script does not take', { inputs: { other: 1 } }, ['inputs.other']],
  ])('refuses %s', async (what, fields, expected) => {
    const { api, script } = await newHookWorld();
    const whole = what === 'nothing' ? {} : { name: 'Orders', verify: HMAC, ...fields };
    const schema = { type: 'object', properties: { what: {} }, additionalProperties: false };
    await newVersion(api, script.slug, { 'main.py': 'print(1)' }, { inputSchema: schema });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    const answer = await api.post(`/v1/scripts/${script.slug}/hooks`, whole);
    expect([answer.status, answer.status === 400 ? paths(answer) : answer.text]).toEqual([400, expected]);
  });

  it('lets anybody send only where an owner says so in person', async () => {
    const { workspace, api, script } = await newHookWorld();
    const body = { name: 'Open', verify: { scheme: 'none' } };
    const path = `/v1/scripts/${script.slug}/hooks`;
    const admin = await workspace.person('admin');
    for (const other of [byToken(admin, workspace), client({ token: await workspace.apiKey() })]) {
      const refused = await other.post(path, body);
      expect(refused.status, refused.text).toBe(403);
    }
    const open = (await inApp(workspace.owner, workspace).post(path, body)).body;
    expect((await send(open, '{}')).status).toBe(202);
    const { id } = await hook(api, script);
    expect(
      (await byToken(admin, workspace).patch(`/v1/hooks/${id}`, { verify: { scheme: 'none' } })).status,
    ).toBe(403);
  });
});

describe('a request to a hook', () => {
  it('is written down, starts a run of what it says, and is answered with its receipt', async () => {
    const { workspace, api, script } = await newHookWorld();
    const inputs = {
      what: {
        order: '{{request.body.order.id}}',
        kind: '{{request.headers.x-kind}}',
        from: '{{request.query.from}}',
      },
    };
    const made = await hook(api, script, { inputs, headers: ['x-kind'] });
    const answer = await sendSigned(
      { url: `${made.url}?from=shop` } as never,
      { order: { id: 7 } },
      { 'x-kind': 'new' },
    );
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toEqual({ id: expect.stringMatching(/^rcp_/) });
    const [receipt] = await receiptsOf(api, made);
    expect(receipt).toMatchObject({ id: answer.body.id, verdict: 'accepted', reason: null, bytes: 18 });
    const run = await runUntil(api, receipt!.runId, finished);
    expect(run).toMatchObject({
      status: 'succeeded',
      interface: 'hook',
      hookId: made.id,
      inputs: { what: { order: 7, kind: 'new', from: 'shop' } },
      startedBy: { userId: workspace.owner.id },
    });
    expect((await api.get(`/v1/runs?hookId=${made.id}`)).body.items).toHaveLength(1);
    expect((await api.get(`/v1/hooks/${made.id}/receipts/${receipt!.id}`)).body).toMatchObject({
      body: '{"order":{"id":7}}',
      bodyEncoding: 'utf8',
      headers: { 'x-kind': 'new', 'content-type': 'application/json' },
      query: { from: 'shop' },
    });
    expect((await api.get(`/v1/hooks/${made.id}`)).body.lastReceivedAt).not.toBeNull();
  });

  it('takes forms, texts and bytes as they are', async () => {
    const { api, script } = await newHookWorld();
    const made = await hook(api, script, { inputs: { what: '{{request.body}}' } });
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', 'a=1&b=two+words'],
      ['text/plain', 'hello'],
    ] as const) {
      expect((await send(made, body, { 'content-type': type, ...signed(body) })).status).toBe(202);
    }
    expect((await runsOfHook(made)).map(({ inputs }) => inputs.what)).toEqual([
      { a: '1', b: 'two words' },
      'hello',
    ]);
    const bytes = Buffer.from([0xff, 0xfe, 1]);
    const binary = await send(made, bytes, { 'content-type': 'application/octet-stream', ...signed(bytes) });
    expect([binary.status, binary.body.id ?? binary.text]).toEqual([202, expect.stringMatching(/^rcp_/)]);
    expect((await api.get(`/v1/hooks/${made.id}/receipts/${binary.body.id}`)).body).toMatchObject({
      body: bytes.toString('base64'),
      bodyEncoding: 'base64',
    });
  });

  it('starts nothing where the filter does not fit, and says where', async () => {
    const { api, script } = await newHookWorld();
    const made = await hook(api, script, { filter: { 'body.action': 'opened' } });
    expect((await sendSigned(made, { action: 'closed' })).status).toBe(202);
    expect((await sendSigned(made, { action: 'opened' })).status).toBe(202);
    expect(await receiptsOf(api, made)).toMatchObject([
      { verdict: 'accepted' },
      {
        verdict: 'filtered',
        reason: 'the request does not have at body.action what the filter asks for',
        runId: null,
      },
    ]);
    expect(await runsOfHook(made)).toHaveLength(1);
    expect(await keptBodies(made)).toEqual({ accepted: 1, filtered: 0 });
  });

  it('starts nothing twice: neither after another, nor at the same time', async () => {
    const { api, script } = await newHookWorld();
    const made = await hook(api, script);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendSigned(made, { n: 1 }, { 'x-id': 'one' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(await runsOfHook(made)).toHaveLength(1);
    const verdicts = (await receiptsOf(api, made)).map(({ verdict }) => verdict as string);
    expect(verdicts.filter((verdict) => verdict === 'duplicate')).toHaveLength(7);
    expect(await keptBodies(made)).toEqual({ accepted: 1, duplicate: 0 });
    // The same name with another body is another request, and so is the same body by another name.
    await sendSigned(made, { n: 2 }, { 'x-id': 'one' });
    await sendSigned(made, { n: 1 }, { 'x-id': 'two' });
    expect(await runsOfHook(made)).toHaveLength(3);
  });

  it('is held where the policy says so', async () => {
    const { api, script } = await newHookWorld();
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const made = await hook(api, script, { respond: true });
    expect((await sendSigned(made, {})).status).toBe(202);
    expect(await runsOfHook(made)).toMatchObject([{ status: 'awaiting_approval', phase: 'held' }]);
  });

  it('switches the hook off where its creator is gone, and it exists no more', async () => {
    const { workspace, api, script } = await newHookWorld();
    const member = await workspace.person('member');
    const made = await hook(byToken(member, workspace), script);
    const { items } = (await api.get('/v1/workspace/members')).body;
    const { id } = items.find(({ userId }: { userId: string }) => userId === member.id);
    expect((await api.delete(`/v1/workspace/members/${id}`)).status).toBeLessThan(300);
    await expect.poll(() => sendSigned(made, {}).then(({ status }) => status)).toBe(404);
    expect((await api.get(`/v1/hooks/${made.id}`)).body).toMatchObject({
      enabled: false,
      disabledReason: 'its creator is not a member of the workspace any more',
    });
    const { rows } = await database().query('SELECT data FROM events WHERE workspace_id = $1 AND type = $2', [
      workspace.id,
      'hook.disabled',
    ]);
    expect(rows).toMatchObject([{ data: { id: made.id, name: 'Orders' } }]);
  });

  it.each([
    ['archived', 'is archived'],
    ['unpublished', 'has no published version'],
  ])('switches the hook off where the script is %s, whether anybody sends or not', async (how, reason) => {
    const { api, script } = await newHookWorld();
    const made = await hook(api, script);
    const path = `/v1/scripts/${script.slug}`;
    const { status, text } = await (how === 'archived' ? api.delete(path) : api.post(`${path}/unpublish`));
    expect(status, text).toBeLessThan(300);
    const read = async () => (await api.get(`/v1/hooks/${made.id}`)).body;
    await expect.poll(async () => (await read()).enabled).toBe(false);
    expect((await read()).disabledReason).toContain(reason);
    expect((await sendSigned(made, {})).status).toBe(404);
    expect(await runsOfHook(made)).toEqual([]);
  });

  it('finds nothing where the workspace is deleted, and leaves nothing there', async () => {
    const { workspace, api, script } = await newHookWorld();
    const made = await hook(api, script);
    expect((await sendSigned(made, { n: 1 })).status).toBe(202);
    const gone = await inApp(workspace.owner, workspace).delete('/v1/workspace');
    expect(gone.status, gone.text).toBe(204);
    expect((await sendSigned(made, { n: 2 })).status).toBe(404);
    expect(await runsOfHook(made)).toHaveLength(1);
    const { rows } = await database().query('SELECT verdict FROM hook_receipts WHERE hook_id = $1', [
      made.id,
    ]);
    expect(rows).toEqual([{ verdict: 'accepted' }]);
  });
});

describe('respond', () => {
  it('answers with the output of the script', async () => {
    const { api } = await newHookWorld();
    const script = await echo(api, { command: 'python3 main.py [{what}]' });
    await newVersion(
      api,
      script.slug,
      { 'main.py': 'import json, sys; print(json.dumps({"said": json.loads(sys.argv[1])}))' },
      { command: 'python3 main.py {what}', inputSchema: { type: 'object', properties: { what: {} } } },
    );
    expect((await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 })).status).toBeLessThan(300);
    const made = await hook(api, script, { respond: true, inputs: { what: '{{request.body}}' } });
    const answer = await sendSigned(made, { a: 1 });
    expect([answer.status, answer.body]).toEqual([200, { said: { a: 1 } }]);
    // What is sent again gets no second run, and so no output.
    const again = { 'x-id': 'again' };
    expect((await sendSigned(made, { a: 2 }, again)).status).toBe(200);
    expect((await sendSigned(made, { a: 2 }, again)).status).toBe(202);
  });
});

describe('a hook', () => {
  it('gets another address, and the one before does not exist any more', async () => {
    const { workspace, api, script } = await newHookWorld();
    const made = await hook(api, script);
    const rotated = await api.post(`/v1/hooks/${made.id}/rotate`);
    expect(rotated.status, rotated.text).toBe(200);
    expect((await sendSigned(made, {})).status).toBe(404);
    expect((await sendSigned(rotated.body, {})).status).toBe(202);
    expect(await auditOf(workspace, made.id)).toMatchObject([
      { action: 'hook.created' },
      { action: 'hook.rotated' },
    ]);
  });

  it('does not exist while it is switched off, and not after it is deleted', async () => {
    const { api, script } = await newHookWorld();
    const made = await hook(api, script);
    const of = `/v1/hooks/${made.id}`;
    await api.patch(of, { enabled: false });
    expect((await sendSigned(made, {})).status).toBe(404);
    await api.patch(of, { enabled: true });
    expect((await sendSigned(made, {})).status).toBe(202);
    expect((await api.delete(of)).status).toBe(204);
    expect((await sendSigned(made, {})).status).toBe(404);
    expect((await api.get(`${of}/receipts`)).status).toBe(404);
  });

  it('keeps its environment from being deleted', async () => {
    const { api, script } = await newHookWorld();
    const environment = newSlug();
    await api.post('/v1/workspace/environments', { name: environment });
    await hook(api, script, { environment });
    const answer = await api.delete(`/v1/workspace/environments/${environment}`);
    expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('1 hook')]);
  });
});

describe('a receipt', () => {
  it('is run once more, against the version that is named, as the caller', async () => {
    const { workspace, api, script } = await newHookWorld();
    const made = await hook(api, script, { inputs: { what: '{{request.body.n}}' } });
    const { body } = await sendSigned(made, { n: 5 });
    const path = `/v1/hooks/${made.id}/receipts/${body.id}/replay`;
    const answer = await api.post(path, {});
    expect([answer.status, answer.body.inputs]).toEqual([200, { what: 5 }]);
    expect(answer.body).toMatchObject({ interface: 'api', test: false });
    await newVersion(
      api,
      script.slug,
      { 'main.py': 'print(2)' },
      {
        command: 'python3 main.py',
        inputSchema: { type: 'object', properties: { what: {} } },
      },
    );
    const tested = await api.post(path, { version: 2 });
    expect([tested.status, tested.body.version, tested.body.test]).toEqual([200, 2, true]);
    expect((await auditOf(workspace, made.id)).at(-1)).toMatchObject({
      action: 'hook.replayed',
      details: { receipt: body.id, run: tested.body.id, version: 2 },
    });
    const { rows } = await database().query(
      `SELECT count(*)::int AS entries, count(DISTINCT xmin::text)::int AS commits FROM audit_events
       WHERE target_id = $1 OR (action = 'hook.replayed' AND details->>'run' = $1)`,
      [tested.body.id],
    );
    expect(rows).toEqual([{ entries: 2, commits: 1 }]);
    expect((await api.post(path, { version: 0 })).status).toBe(400);
    expect((await api.post(path, { version: 9 })).status).toBe(404);
  });
});
