import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type GatehouseProcess,
  Seed,
  type TestPerson,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';

const LIMITS = { GATEHOUSE_RATE_LIMIT: '60', GATEHOUSE_RATE_BURST: '20', GATEHOUSE_SIGNUP: 'open' };

let one: GatehouseProcess & { databaseUrl: string };
let two: GatehouseProcess;
let pool: pg.Pool;
let workspace: TestWorkspace;

beforeAll(async () => {
  one = await startGatehouse({ env: LIMITS });
  two = await startGatehouse({ env: { ...LIMITS, GATEHOUSE_ROLE: 'api', DATABASE_URL: one.databaseUrl } });
  pool = new pg.Pool({ connectionString: one.databaseUrl, max: 2 });
  workspace = await new Seed(one.baseUrl, pool).workspace();
});

afterAll(async () => {
  await pool?.end();
  await two?.stop();
  await one?.stop();
});

/** Somebody who has made no requests but those of signing in and making a token. */
const person = (): Promise<TestPerson> => workspace.person('owner');

function get(server: GatehouseProcess, token: string): Promise<Answer> {
  return createClient({ baseUrl: server.baseUrl, token, workspace: workspace.slug }).get('/v1/workspace');
}

/** Several at once. While they are on their way, no more than a token or two flow in. */
const several = (request: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: 6 }, request));

const isRefused = ({ status }: Answer): boolean => status === 429;

/** Sends in turn, so many times. */
async function countAllowed(request: (index: number) => Promise<Answer>, most: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < most; index++) answers.push(await request(index));
  return answers;
}

/** Sends in turn until one is refused, and that as the last; a token flows in each second. */
async function untilRefused(request: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  do answers.push(await request());
  while (!isRefused(answers.at(-1)!));
  return answers;
}

describe('the limit of a credential', () => {
  it('is one bucket for all processes: the burst, then 429 until tokens flow in', async () => {
    const token = await (await person()).tokenWith({});
    const begun = performance.now();
    const answers = await countAllowed((index) => get(index % 2 === 0 ? one : two, token), 40);
    const seconds = (performance.now() - begun) / 1000;
    const allowed = answers.filter(({ status }) => status === 200);
    expect(allowed.length).toBeGreaterThanOrEqual(20);
    expect(allowed.length).toBeLessThanOrEqual(20 + Math.ceil(seconds));
    expect(answers.slice(0, 20).every(({ status }) => status === 200)).toBe(true);

    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-policy')).toBe('"requests";q=60;w=60');
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=(19|20)$/);

    await new Promise((done) => setTimeout(done, 1100));
    expect((await get(two, token)).status).toBe(200);
  });

  it('counts down in RateLimit', async () => {
    const token = await (await person()).tokenWith({});
    const first = await get(one, token);
    const second = await get(two, token);
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=19;t=1$/);
    expect(second.headers.get('ratelimit')).toMatch(/^"requests";r=1[89];t=[12]$/);
  });

  it('is its own: another credential goes on, also of the same person', async () => {
    const { token: spent, tokenWith } = await person();
    const other = await tokenWith({});
    await untilRefused(() => get(one, spent));
    expect((await several(() => get(one, spent))).some(isRefused)).toBe(true);
    expect((await get(one, other)).status).toBe(200);
  });

  it('is paid by requests that are refused, whoever refuses them', async () => {
    const narrow = await (await person()).tokenWith({ scopes: ['runs:read'] });
    const api = createClient({ baseUrl: one.baseUrl, token: narrow, workspace: workspace.slug });
    const answers = await untilRefused(() => api.get('/v1/workspace/members'));
    expect(answers[0]!.status).toBe(403);
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"requests";r=19;/);
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.slice(0, -1).every(({ status }) => status === 403)).toBe(true);
  });

  it('comes before the workspace, the scope and the body, and keeps no Idempotency-Key', async () => {
    const token = await (await person()).tokenWith({});
    await untilRefused(() => get(one, token));
    const api = createClient({ baseUrl: one.baseUrl, token, workspace: 'nowhere' });
    const key = { 'idempotency-key': 'limited' };
    const answers = await several(() => api.post('/v1/workspace/environments', '{', key));
    expect(answers.some(isRefused)).toBe(true);
    const { rows } = await pool.query(`SELECT FROM idempotency_keys WHERE key = 'limited'`);
    expect(rows).toHaveLength(0);
  });
});

describe('the limit of a person', () => {
  it('is told where less is left of it than of the credential', async () => {
    const { token, tokenWith } = await person();
    // More than all of theirs may be together, so that nothing is left while it flows in.
    const others = await Promise.all(Array.from({ length: 5 }, () => tokenWith({})));
    for (const other of others) await countAllowed(() => get(one, other), 20);
    const answer = await get(one, token);
    expect(answer.headers.get('ratelimit-policy')).toBe('"person";q=180;w=60');
    expect(answer.headers.get('ratelimit')).toMatch(/^"person";r=\d+;t=\d+$/);
  });
});

describe('an address that there is not', () => {
  it.each([
    ['an unknown path', '/v1/nothing', 404],
    ['a method that it does not take', '/v1/workspace/usage', 405],
  ])('costs quota: %s', async (_, path, status) => {
    const token = await (await person()).tokenWith({});
    const api = createClient({ baseUrl: one.baseUrl, token, workspace: workspace.slug });
    const answers = await untilRefused(() => api.put(path));
    expect(answers[0]!.status).toBe(status);
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"requests";r=19;/);
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('1');
    expect((await several(() => get(two, token))).some(isRefused)).toBe(true);
  });
});

describe('the limit of an address', () => {
  it('counts failures only, over all processes, and never refuses a valid credential', async () => {
    const wrong = `svc_pat_${'0'.repeat(43)}`;
    const begun = performance.now();
    const answers: Answer[] = [];
    while (!answers.some(isRefused)) {
      answers.push(...(await countAllowed((index) => get(index % 2 === 0 ? one : two, wrong), 10)));
    }
    const seconds = (performance.now() - begun) / 1000;
    const refused = answers.filter(isRefused);
    expect(answers[0]!.status).toBe(401);
    expect(answers.length - refused.length).toBeLessThanOrEqual(60 + Math.ceil(seconds));
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"failures";q=60;w=60');
    const valid = await get(one, await (await person()).tokenWith({}));
    expect(valid.status).toBe(200);
  });
});
