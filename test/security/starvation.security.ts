import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  createClient,
  firstRun,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { type TestScript, archiveOf, newSlug, python, run } from '../support/scripts.js';

const PLACES = 4;
const SLEEPERS = 12;

let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let greedy: Client;
let sleeper: TestScript;

beforeAll(async () => {
  gatehouse = await startGatehouse({
    env: {
      GATEHOUSE_RUN_CONCURRENCY: String(PLACES),
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
    },
  });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  const { personalAccessToken, workspace } = await firstRun(gatehouse);
  greedy = createClient({ baseUrl: gatehouse.baseUrl, token: personalAccessToken!, workspace: workspace! });
  sleeper = await python(greedy, 'import time; time.sleep(600)', { timeout: 900 });
});

afterAll(async () => {
  await pool.end();
  await gatehouse.stop();
});

/** How many runs of those scripts a worker has. */
async function taken(scripts = [sleeper]): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS count FROM runs WHERE phase IN ('starting', 'executing') AND script_slug = ANY ($1)`,
    [scripts.map(({ slug }) => slug)],
  );
  return (rows[0] as { count: number }).count;
}

/** Those of it that wait, in the order in which they were asked for. */
async function waiting(): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT id FROM runs WHERE phase = 'queued' AND script_slug = $1 ORDER BY id`,
    [sleeper.slug],
  );
  return rows.map(({ id }: { id: string }) => id);
}

async function startSleepers(): Promise<string[]> {
  const started = await Promise.all(Array.from({ length: SLEEPERS }, () => run(greedy, sleeper)));
  return started.map(({ body }) => body.id as string);
}

async function cancelAll(ids: string[]): Promise<void> {
  for (const id of ids) await greedy.post(`/v1/runs/${id}/cancel`);
  await expect.poll(() => taken()).toBe(0);
}

async function anotherWorkspace(): Promise<Client> {
  const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
  return createClient({ baseUrl: gatehouse.baseUrl, token: owner.token, workspace: slug });
}

/** Two workspaces that one person has made. */
async function twoOfOnePerson(): Promise<[Client, Client]> {
  const { owner, slug } = await new Seed(gatehouse.baseUrl, pool).workspace();
  const second = newSlug();
  const made = await createClient({ baseUrl: gatehouse.baseUrl, cookie: owner.cookie }).post(
    '/v1/workspaces',
    { name: 'Second', slug: second },
  );
  expect(made.status, made.text).toBe(201);
  const clientOf = (workspace: string): Client =>
    createClient({ baseUrl: gatehouse.baseUrl, token: owner.token, workspace });
  return [clientOf(slug), clientOf(second)];
}

/** How many builds are going on. */
async function building(): Promise<number | null> {
  return (await pool.query(`SELECT FROM builds WHERE status = 'running'`)).rowCount;
}

/** Makes a script. What starts the build of a version of it comes with a pattern by which that is known. */
async function builder(api: Client, command: string) {
  const slug = newSlug();
  expect((await api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  const archive = await archiveOf({ 'main.py': `# ${slug}` });
  const version = { archive, build: `: ${slug}-build; ${command}` };
  return { start: () => api.post(`/v1/scripts/${slug}/versions`, version), known: `%${slug}-build;%` };
}

/** A build of another begins while those go on that have the places. */
async function expectNoDelay(slow: Client[], other: Client): Promise<void> {
  const quick = await builder(other, 'true');
  const going = await Promise.all(slow.map((api) => builder(api, 'sleep 6')));
  const ends = going.map(({ start }) => start());
  await expect.poll(building).toBeGreaterThan(0);
  for (const { status, text } of await Promise.all([quick.start(), ...ends])) expect(status, text).toBe(201);
  const { rows } = await pool.query(
    `SELECT (SELECT started_at FROM builds WHERE recipe::text LIKE $1)
       < (SELECT min(finished_at) FROM builds WHERE recipe::text LIKE ANY ($2)) AS begun`,
    [quick.known, going.map(({ known }) => known)],
  );
  expect(rows, 'it waited for those of the other').toEqual([{ begun: true }]);
}

describe('a workspace with more to do than there are places', () => {
  it('has all of them where it is the only one', async () => {
    const ids = await startSleepers();
    await expect.poll(() => taken()).toBe(PLACES);
    await cancelAll(ids);
  });

  it('does not delay the run of another', async () => {
    const other = await anotherWorkspace();
    const quick = await python(other, 'print("here")');
    const ids = await startSleepers();
    await expect.poll(() => taken()).toBe(PLACES - 1);
    const { body } = await run(other, quick);
    expect(body).toMatchObject({ status: 'succeeded', output: 'here' });
    // What waits for a place of its share says what it waits for.
    const queue = await waiting();
    expect(queue.length).toBe(SLEEPERS - PLACES + 1);
    const last = (await greedy.get(`/v1/runs/${queue.at(-1)}`)).body;
    expect(last).toMatchObject({ phase: 'queued', queuedBehind: SLEEPERS - PLACES });
    // A place of the share that becomes free goes to the next of the same workspace.
    const [next] = queue;
    const executing = ids.find((id) => !queue.includes(id));
    await greedy.post(`/v1/runs/${executing}/cancel`);
    await expect.poll(async () => (await greedy.get(`/v1/runs/${next}`)).body.phase).toBe('executing');
    await cancelAll(ids);
  });

  it('does not delay the installation of another', { timeout: 180_000, tags: 'slow' }, async () => {
    await expectNoDelay([greedy, greedy], await anotherWorkspace());
  });
});

describe('a person with more workspaces than one', () => {
  it('has no more places of a worker by them, and does not delay the run of another', async () => {
    const [one, two] = await twoOfOnePerson();
    const other = await anotherWorkspace();
    const quick = await python(other, 'print("here")');
    const long = 'import time; time.sleep(600)';
    const scripts = [await python(one, long, { timeout: 900 }), await python(two, long, { timeout: 900 })];
    const ids: [Client, string][] = [];
    for (const [index, api] of [one, two, one, two, one, two].entries()) {
      ids.push([api, (await run(api, scripts[index % 2]!)).body.id as string]);
    }
    await expect.poll(() => taken(scripts)).toBe(PLACES - 1);
    const { body } = await run(other, quick);
    expect(body).toMatchObject({ status: 'succeeded', output: 'here' });
    expect(await taken(scripts)).toBe(PLACES - 1);
    // Both of that person's workspaces have some of their places.
    expect(await taken(scripts.slice(0, 1))).toBeGreaterThan(0);
    expect(await taken(scripts.slice(1))).toBeGreaterThan(0);
    const [last] = ids.at(-1)!;
    expect((await last.get(`/v1/runs/${ids.at(-1)![1]}`)).body).toMatchObject({
      phase: 'queued',
      queuedBehind: 2,
    });
    for (const [api, id] of ids) await api.post(`/v1/runs/${id}/cancel`);
    await expect.poll(() => taken(scripts)).toBe(0);
  });

  it('does not delay the installation of another', async () => {
    await expectNoDelay(await twoOfOnePerson(), await anotherWorkspace());
  }, 180_000);
});
