import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { whyNoRegistries } from '../support/registry-reach.js';
import { publishedScript, run } from '../support/scripts.js';
import { Upstreams, echo } from '../support/upstream.js';

const MINUTES = 5 * 60_000;
const noRegistries = await whyNoRegistries();

describe.skipIf(noRegistries !== null)(
  'HTTPS clients that are installed go through the gate, unmodified',
  () => {
    const upstreams = new Upstreams();
    let gatehouse: GatehouseProcess & { databaseUrl: string };
    let api: Client;
    let address: string;
    let host: string;

    beforeAll(async () => {
      const caFile = await upstreams.caFile();
      host = `localhost:${await upstreams.start(echo)}`;
      address = `https://${host}/`;
      gatehouse = await startGatehouse({
        env: {
          GATEHOUSE_SIGNUP: 'open',
          GATEHOUSE_RATE_LIMIT: '0',
          GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
          NODE_EXTRA_CA_CERTS: await upstreams.besideOwn(caFile),
        },
      });
      const pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
      const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
      await pool.end();
      api = createClient({
        baseUrl: gatehouse.baseUrl,
        token: workspace.owner.token,
        workspace: workspace.slug,
      });
      await api.put('/v1/workspace/secrets/TOKEN', { value: 'attached-on-the-way', hosts: [host] });
    });

    afterAll(async () => {
      await gatehouse?.stop();
      await upstreams.close();
    });

    const secrets = () => ({ TOKEN: { header: 'x-token', host } });

    it(
      'Python: requests, httpx and aiohttp',
      async () => {
        const code = `import asyncio, json, aiohttp, httpx, requests
url = "${address}"
async def by_aiohttp():
  async with aiohttp.ClientSession() as session:
    async with session.post(url, data="body") as answer: return await answer.json()
print(json.dumps({"requests": requests.post(url, data="body").json(), "httpx": httpx.post(url, content="body").json(), "aiohttp": asyncio.run(by_aiohttp())}))`;
        const files = { 'main.py': code, 'requirements.txt': 'requests\nhttpx\naiohttp\n' };
        const script = await publishedScript(api, files, { hosts: [host], secrets: secrets() });
        const { body } = await run(api, script);
        expect(body).toMatchObject({ status: 'succeeded', error: null });
        for (const client of ['requests', 'httpx', 'aiohttp']) {
          // What the server reflects of the secret comes back masked: so it arrived there.
          expect(body.output[client]).toMatchObject({
            method: 'POST',
            body: 'body',
            headers: { 'x-token': '***' },
          });
        }
        expect(body.network).toEqual([expect.objectContaining({ host, requests: 3, denied: 0 })]);
      },
      MINUTES,
    );

    it(
      'Node: axios and undici',
      async () => {
        const code = `import axios from 'axios';
import { request } from 'undici';
const url = '${address}';
const { data } = await axios.post(url, 'body');
const { body } = await request(url, { method: 'POST', body: 'body' });
console.log(JSON.stringify({ axios: data, undici: await body.json() }));`;
        // Versions that run on every Node that Gatehouse does.
        const dependencies = { axios: '^1', undici: '^6' };
        const manifest = JSON.stringify({ type: 'module', dependencies });
        const files = { 'main.js': code, 'package.json': manifest };
        const script = await publishedScript(api, files, {
          command: 'node main.js',
          hosts: [host],
          secrets: secrets(),
        });
        const { body } = await run(api, script);
        expect(body).toMatchObject({ status: 'succeeded', error: null });
        for (const client of ['axios', 'undici']) {
          expect(body.output[client]).toMatchObject({
            method: 'POST',
            body: 'body',
            headers: { 'x-token': '***' },
          });
        }
      },
      MINUTES,
    );
  },
);
