import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json } from '../../libs/testing/index.js';
import { gateSettings } from '../support/shared-gate.js';
import { finished, python, run, runUntil, type TestScript } from '../support/scripts.js';
import { Upstreams } from '../support/upstream.js';
import { House } from './support/house.js';

const REQUESTS = '/v1/workspace/approval-requests';
const SEND = `
import json, os, ssl, urllib.error, urllib.request
address = json.load(open(os.environ["GATEHOUSE_INPUTS"]))["address"]
try: print(json.dumps(urllib.request.urlopen(urllib.request.Request(address, data=b"amount=1"), timeout=200).status))
except urllib.error.HTTPError as e: print(json.dumps(e.code))
`;

const upstreams = new Upstreams();
let house: House;
let script: TestScript;
let address: string;
let arrived: string[] = [];

beforeAll(async () => {
  house = await House.start(await gateSettings(upstreams), ['api', 'worker']);
  const port = await upstreams.start((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end('served');
  });
  address = `https://localhost:${port}/v1/pay`;
  const hosts = [{ host: `localhost:${port}`, methods: ['POST'], ask: 'always' }];
  const inputSchema = { type: 'object', properties: { address: { type: 'string' } } };
  script = await python(house.api, SEND, { hosts, inputSchema, timeout: 300 });
});
beforeEach(() => {
  arrived = [];
});
afterAll(async () => {
  await house?.stop();
  await upstreams.close();
});

const owner = (): Client => {
  const { baseUrl, workspace } = house;
  return createClient({ baseUrl, cookie: workspace.owner.cookie, workspace: workspace.slug });
};

/** A run whose request waits for a person. */
async function waiting(): Promise<{ runId: string; question: Json }> {
  const { body } = await run(house.api, script, { address });
  const found = async (): Promise<Json | undefined> => {
    const { body: page } = await owner().get(`${REQUESTS}?status=pending`);
    return (page.items as Json[]).find(({ runId }) => runId === body.id);
  };
  await expect.poll(found).toBeDefined();
  return { runId: body.id, question: (await found())! };
}

describe('a request that waits for a person', { tags: 'slow' }, () => {
  it('is sent although the service that asked is killed meanwhile', async () => {
    const { runId, question } = await waiting();
    await house.kill('api');
    const approved = await owner().post(`${REQUESTS}/${question.id}/approve`);
    expect(approved.body, approved.text).toMatchObject({ status: 'completed' });
    expect(await runUntil(house.api, runId, finished)).toMatchObject({ status: 'succeeded', output: 200 });
    expect(arrived).toEqual(['POST /v1/pay']);
  });

  it('is never sent once its worker is killed, and withdrawn', async () => {
    const { runId, question } = await waiting();
    await house.kill('worker');
    expect(await runUntil(house.api, runId, finished, 90_000)).toMatchObject({
      status: 'failed',
      error: 'the worker running this was lost',
    });
    const status = async () => (await owner().get(`${REQUESTS}/${question.id}`)).body.status;
    await expect.poll(status).toBe('expired');
    expect((await owner().post(`${REQUESTS}/${question.id}/approve`)).status).toBe(400);
    expect(arrived).toEqual([]);
  }, 300_000);
});
