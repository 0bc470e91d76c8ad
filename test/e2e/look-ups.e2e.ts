import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { newWorkspace } from '../support/gatehouse.js';
import { withinOneHour } from '../support/hours.js';
import { inApp } from '../support/people.js';
import { type TestScript, python, run } from '../support/scripts.js';

/** What pages look up besides the resources themselves. */
let workspace: TestWorkspace;
let owner: Client;
let script: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = inApp(workspace.owner, workspace);
  script = await python(owner, 'import sys\nsys.exit(len(sys.argv) > 1)', {
    command: 'python3 main.py [{fail}]',
  });
});

const ids = ({ body }: { body: Json }): string[] => body.items.map(({ id }: Json) => id);

describe('GET /v1/scripts', () => {
  it('finds scripts by a part of a tag, and by the secret that they use', async () => {
    await owner.put('/v1/workspace/secrets/API_KEY', { value: 'long enough', hosts: [], allowEnv: true });
    const using = await python(owner, 'print(1)', { env: ['API_KEY'] });
    await owner.patch(`/v1/scripts/${using.slug}`, { tags: ['ledger-exports'] });
    const slugs = async (query: string): Promise<string[]> =>
      (await owner.get(`/v1/scripts?${query}`)).body.items.map(({ slug }: Json) => slug);
    expect(await slugs('q=GER-exp')).toEqual([using.slug]);
    expect(await slugs('secret=API_KEY')).toEqual([using.slug]);
    expect(await slugs('secret=OTHER')).toEqual([]);
  });
});

describe('GET /v1/scripts/{slug}/activity', () => {
  it('counts the last 30 days, also those on which nothing ran', async () => {
    await withinOneHour();
    await run(owner, script);
    await run(owner, script, { fail: 'yes' });
    const { days } = (await owner.get(`/v1/scripts/${script.slug}/activity`)).body;
    expect(days).toHaveLength(30);
    expect(days[0]).toMatchObject({ runs: 0, succeeded: 0, failed: 0 });
    expect(days.at(-1)).toEqual({
      day: new Date().toISOString().slice(0, 10),
      runs: 2,
      succeeded: 1,
      failed: 1,
    });
  });
});

describe('GET /v1/runs', () => {
  it('is narrowed to who started them and to a time', async () => {
    const member = await workspace.person('member');
    const first = (await run(owner, script)).body;
    const second = (await run(inApp(member, workspace), script)).body;
    const list = async (query: string): Promise<string[]> =>
      ids(await owner.get(`/v1/runs?script=${script.slug}&${query}`));
    expect(await list(`startedBy=${member.id}`)).toEqual([second.id]);
    expect(await list(`since=${second.startedAt}`)).toEqual([second.id]);
    expect(await list(`since=${first.startedAt}&until=${second.startedAt}`)).toEqual([first.id]);
    const all = await list('limit=50');
    expect(await list('since=0000-01-01T00:00:00%2B23:59')).toEqual(all);
    expect(await list('until=9999-12-31T23:59:59-23:59')).toEqual(all);
    expect((await owner.get('/v1/runs?since=yesterday')).status).toBe(400);
  });
});

describe('GET /v1/schedules/preview', () => {
  it('says the next five times, by the clocks of the zone', async () => {
    const { status, body } = await owner.get(
      '/v1/schedules/preview?cron=30+9+*+*+mon-fri&timezone=Asia/Tokyo',
    );
    expect(status).toBe(200);
    expect(body.times).toHaveLength(5);
    for (const time of body.times) expect(time).toMatch(/T00:30:00\.000Z$/);
    expect([...body.times].sort()).toEqual(body.times);
    const refused = await owner.get('/v1/schedules/preview?cron=30+9&timezone=Nowhere');
    expect(refused.body.error.details.map(({ path }: Json) => path)).toEqual(['cron', 'timezone']);
  });
});
