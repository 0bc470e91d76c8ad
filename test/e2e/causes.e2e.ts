import { request as httpRequest } from 'node:http';

import {
  Access,
  DefinesEventTypes,
  Events,
  type EventTypeSource,
  Extension,
  InWorkspace,
  type WorkspaceCaller,
} from '@gatehouse/extension';
import { type HttpsServer, startGatehouse, startHttpsServer, type TestGatehouse } from '@gatehouse/testing';
import { Controller, Injectable, Module, Post } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type Json, Seed } from '../../libs/testing/index.js';
import { MasterKey, newId } from '../../src/core/crypto/index.js';
import { RunTokens } from '../../src/core/causes/run-tokens.js';
import { newSlug, publishedScript, run } from '../support/scripts.js';

const MASTER_KEY = Buffer.alloc(32, 7);
const object = { type: 'object', additionalProperties: false, properties: {} };

@DefinesEventTypes()
@Injectable()
class BellEvents implements EventTypeSource {
  readonly eventTypes = [
    {
      type: 'bells.rung',
      description: 'Somebody rang.',
      schema: object,
      example: {},
      environmentScoped: false,
    },
  ] as const;
}

@Controller('/v1/bells')
class BellsController {
  constructor(private readonly events: Events) {}

  @Access({ role: 'member', reach: 'all' })
  @Post()
  async ring(@InWorkspace() caller: WorkspaceCaller): Promise<{ run: string | null }> {
    const workspaceId = caller.workspace.id;
    await this.events.tell({ workspaceId, environmentId: null, type: 'bells.rung', data: {} });
    return { run: caller.run?.id ?? null };
  }
}

@Extension({ name: 'bells' })
@Module({ controllers: [BellsController], providers: [BellEvents] })
class BellsExtension {}

let gatehouse: TestGatehouse;
let front: HttpsServer;
let other: HttpsServer;
let api: Client;
/** The heads of requests as they came from the gate, by where they arrived. */
const arrived: { at: 'service' | 'neighbour' | 'elsewhere'; run: string | undefined }[] = [];

beforeAll(async () => {
  front = await startHttpsServer((incoming, response) => {
    const { method, url, headers } = incoming;
    // A proxy with several applications, ours below a path.
    const path = /^\/gatehouse(\/.*)$/.exec(url!)?.[1];
    arrived.push({
      at: path ? 'service' : 'neighbour',
      run: headers['x-gatehouse-run'] as string | undefined,
    });
    if (!path) return void response.end('{}');
    if (path === '/away') return void response.writeHead(307, { location: `${other.url}/` }).end();
    if (path === '/mirror') return void response.end(JSON.stringify(headers));
    if (path === '/part')
      return void response.writeHead(206, { etag: '"a"' }).end(JSON.stringify({ part: headers['range'] }));
    const { hostname, port } = new URL(gatehouse.baseUrl);
    incoming.pipe(
      httpRequest({ hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  other = await startHttpsServer((incoming, response) => {
    arrived.push({ at: 'elsewhere', run: incoming.headers['x-gatehouse-run'] as string | undefined });
    response.end('{}');
  });
  const env = {
    GATEHOUSE_BASE_URL: `${front.url}/gatehouse`,
    GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
    GATEHOUSE_MASTER_KEY: MASTER_KEY.toString('base64'),
  };
  gatehouse = await startGatehouse({ extensions: [BellsExtension], env, runsScripts: true });
  api = gatehouse.api.as(gatehouse.workspace.owner);
  const secret = { value: gatehouse.workspace.owner.token, hosts: [front.host] };
  expect((await api.put('/v1/workspace/secrets/KEY', secret)).status).toBeLessThan(300);
});

afterAll(async () => {
  await gatehouse?.stop();
  await front?.close();
  await other?.close();
});

const CALL = `
import json, os, urllib.request
def call(path, body=None, at='https://FRONT/gatehouse', **headers):
    headers = {'content-type': 'application/json', 'x-workspace': 'WORKSPACE', **headers}
    asked = urllib.request.Request(at + path, json.dumps(body).encode() if body is not None else None, headers)
    return urllib.request.urlopen(asked).read().decode()
`;

function script(code: string, fields: Record<string, unknown> = {}) {
  const call = CALL.replace('FRONT', front.host).replace('WORKSPACE', gatehouse.workspace.slug);
  return publishedScript(
    api,
    { 'main.py': call + code },
    {
      command: 'python3 main.py',
      timeout: 30,
      hosts: [front.host, other.host],
      secrets: { KEY: { host: front.host, header: 'authorization', value: 'Bearer {secret}' } },
      ...fields,
    },
  );
}

async function rows(sql: string, ...values: unknown[]): Promise<Json[]> {
  return (await gatehouse.database.query<Json>(sql, values)).rows;
}

describe('What a script asks of its own service', () => {
  it('is caused by its run, in routes of extensions and in ours', async () => {
    const slug = newSlug();
    const asking = await script(`
call('/v1/scripts', {'slug': '${slug}', 'name': 'Made'})
print(call('/v1/bells', {}, **{'x-gatehouse-run': 'forged', 'X_Gatehouse_Run': 'forged'}))`);
    const { body } = await run(api, asking);
    expect(body.error).toBeNull();
    expect(body.output).toEqual({ run: body.id });
    const told = await rows(
      `SELECT type FROM events WHERE caused_by_run_id = $1 AND type IN ('bells.rung', 'script.created') ORDER BY id`,
      body.id,
    );
    expect(told.map(({ type }) => type)).toEqual(['script.created', 'bells.rung']);
  });

  it('ends a chain through the route of an extension as every other', async () => {
    const ringing = await script(`print(call('/v1/bells', {}))`);
    // Those of before fire no trigger that is made later.
    await gatehouse.eventsHandled();
    const made = await api.post(`/v1/scripts/${ringing.slug}/triggers`, {
      name: 'Again',
      eventType: 'bells.rung',
    });
    expect(made.status, made.text).toBe(201);
    await run(api, ringing);
    const read = () => api.get(`/v1/triggers/${made.body.id}`).then(({ body }) => body as Json);
    await expect.poll(() => read().then(({ enabled }) => enabled)).toBe(false);
    expect((await read())['disabledReason']).toContain('stops after 8 runs');
    const runs = await rows('SELECT hops FROM runs WHERE trigger_id = $1 ORDER BY id', made.body.id);
    expect(runs.map(({ hops }) => hops)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('passes hops and first event on to runs that it starts', async () => {
    const started = await script(`print('{}')`);
    const starting = await script(`print(call('/v1/scripts/${started.slug}/runs', {'inputs': {}}))`);
    const slug = newSlug();
    const made = await api.post(`/v1/scripts/${starting.slug}/triggers`, {
      name: 'Once',
      eventType: 'script.created',
      filter: { 'script.slug': slug },
    });
    expect(made.status, made.text).toBe(201);
    expect((await api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
    const found = () =>
      rows('SELECT id, hops, chain_event_id AS first FROM runs WHERE script_id = $1', started.id);
    await expect.poll(() => found().then(({ length }) => length)).toBe(1);
    const [cause] = await rows(
      'SELECT id, chain_event_id AS first FROM runs WHERE trigger_id = $1',
      made.body.id,
    );
    expect(await found()).toMatchObject([{ hops: 1, first: cause!['first'] }]);
    const { items } = (await api.get(`/v1/runs?causedBy=${cause!['id']}`)).body as { items: Json[] };
    expect(items).toMatchObject([
      { id: (await found())[0]!['id'], causedBy: { type: 'run', id: cause!['id'] } },
    ]);
  });
});

describe('A script that sends to its own hook', () => {
  it('starts itself again until the chain has become too long', async () => {
    const sending = await script(`import sys; print(call('', {'to': sys.argv[1]}, at=sys.argv[1]))`, {
      command: 'python3 main.py {to}',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    });
    const made = await api.post(`/v1/scripts/${sending.slug}/hooks`, {
      name: 'Again',
      verify: { scheme: 'none' },
      inputs: { to: '{{request.body.to}}' },
    });
    expect(made.status, made.text).toBe(201);
    await run(api, sending, { to: made.body.url });
    const receipts = () =>
      rows('SELECT verdict, reason FROM hook_receipts WHERE hook_id = $1 ORDER BY id', made.body.id);
    const last = () => receipts().then((found) => found.at(-1));
    await expect.poll(last).toMatchObject({ verdict: 'refused' });
    expect((await last())!['reason']).toContain('stops after 8');
    const runs = await rows('SELECT hops FROM runs WHERE hook_id = $1 ORDER BY id', made.body.id);
    expect(runs.map(({ hops }) => hops)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe("The gate's word for a run", () => {
  it('goes to the service alone, also where that sends on, and never into the box', async () => {
    arrived.length = 0;
    const curious = await script(`
mirrored = call('/mirror')
call('/away')
call('/', at='https://${other.host}')
call('/v1/bells', at='https://${front.host}')
print(json.dumps({'mirrored': mirrored, 'env': dict(os.environ)}))`);
    const { body } = await run(api, curious);
    expect(body.error).toBeNull();
    const [first] = arrived;
    expect(first!.run).toContain(body.id);
    expect(JSON.stringify(body.output)).not.toContain(first!.run!.split('.')[3]);
    expect(arrived.map(({ at, run: token }) => [at, token !== undefined])).toEqual([
      ['service', true],
      ['service', true],
      ['elsewhere', false],
      ['elsewhere', false],
      ['neighbour', false],
    ]);
  });

  it('takes nothing from responses: a part of a file stays one', async () => {
    const code = `
asked = urllib.request.Request('https://${front.host}/gatehouse/part', headers={'range': 'bytes=0-9'})
with urllib.request.urlopen(asked) as response:
    print(json.dumps([response.status, response.headers['etag'], json.load(response)]))`;
    const parts = await publishedScript(
      api,
      { 'main.py': `import json, urllib.request\n${code}` },
      { command: 'python3 main.py', hosts: [front.host] },
    );
    expect((await run(api, parts)).body.output).toEqual([206, '"a"', { part: 'bytes=0-9' }]);
  });

  it('may not be replaced by a secret', async () => {
    const replacing = await publishedScript(
      api,
      { 'main.py': 'print(1)' },
      {
        command: 'python3 main.py',
        hosts: [front.host],
        secrets: { KEY: { host: front.host, header: 'X-Gatehouse-Run', value: '{secret}' } },
      },
    );
    const { body } = await run(api, replacing);
    expect(JSON.stringify(body.error)).toContain('the gate writes the header X-Gatehouse-Run itself');
  });

  it('is refused forged and expired, and names no run of another workspace', async () => {
    const tokens = new RunTokens(new MasterKey(MASTER_KEY));
    const { id } = gatehouse.workspace;
    const runId = newId('run');
    const ring = async (token: string, workspace = gatehouse.workspace) => {
      const answer = await fetch(`${gatehouse.baseUrl}/v1/bells`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${workspace.owner.token}`,
          'x-workspace': workspace.slug,
          'x-gatehouse-run': token,
        },
      });
      return [answer.status, ((await answer.json()) as Json)['run']];
    };
    const good = tokens.issue({ id: runId, workspaceId: id }, 60_000);
    expect(await ring(good)).toEqual([201, runId]);
    expect(await ring(tokens.issue({ id: runId, workspaceId: id }, -1))).toEqual([403, undefined]);
    expect(await ring(good.replace(runId, newId('run')))).toEqual([403, undefined]);
    expect(await ring('')).toEqual([403, undefined]);
    const foreign = await new Seed(gatehouse.baseUrl, gatehouse.database as never).workspace();
    expect(await ring(good, foreign)).toEqual([201, null]);
    expect(
      await rows('SELECT 1 FROM events WHERE workspace_id = $1 AND caused_by_run_id = $2', foreign.id, runId),
    ).toEqual([]);
  });
});
