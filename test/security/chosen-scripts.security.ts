import { beforeAll, describe, expect, it } from 'vitest';

import { type Client, type Json, type TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, said } from '../support/mcp.js';
import { App, approve, Browser, connect, type Consent } from '../support/oauth.js';
import { python, run, type TestScript } from '../support/scripts.js';

const WRITES = 'open("/outputs/a.txt", "w").write("a"); print(1)';

let workspace: TestWorkspace;
let owner: Client;
let chosen: TestScript;
let tagged: TestScript;
let other: TestScript;
/** Of each script, by the owner. */
const runs: Record<string, Json> = {};

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ token: workspace.owner.token, workspace: workspace.slug });
  [chosen, tagged, other] = await Promise.all([
    python(owner, WRITES),
    python(owner, WRITES),
    python(owner, WRITES),
  ]);
  await owner.patch(`/v1/scripts/${tagged.slug}`, { tags: ['for-agents'] });
  for (const script of [chosen, tagged, other]) {
    runs[script.slug] = (await run(owner, script)).body;
    const schedule = { name: `by owner ${script.slug}`, cron: '0 0 1 1 *' };
    expect((await owner.post(`/v1/scripts/${script.slug}/schedules`, schedule)).status).toBe(201);
  }
});

const appWith = async (consent: Omit<Consent, 'workspace'>, person = workspace.owner) => {
  const { access_token: token } = await connect(person, { workspace: workspace.slug, ...consent });
  return { token, api: client({ token }) };
};

/** What an app knows of a script, by every way there is. */
async function known({ api, token }: { api: Client; token: string }, { slug }: TestScript): Promise<Json> {
  const theirs = runs[slug];
  const file = (theirs.files as Json[])[0].id as string;
  const mcp = await mcpClient(token);
  const [{ tools }, listed] = await Promise.all([
    mcp.listTools(),
    mcp.callTool({ name: 'list_scripts', arguments: {} }),
  ]);
  const tool = async (name: string, args: object) => {
    const result = await mcp.callTool({ name, arguments: args as Record<string, unknown> });
    return !said(result).isError;
  };
  const lists = (answer: { body: Json }, has: (item: Json) => boolean) =>
    (answer.body.items as Json[]).some(has);
  const knows = {
    script: (await api.get(`/v1/scripts/${slug}`)).status === 200,
    list: lists(await api.get('/v1/scripts?limit=100'), (item) => item.slug === slug),
    versions: (await api.get(`/v1/scripts/${slug}/versions`)).status === 200,
    archive: (await api.get(`/v1/scripts/${slug}/versions/1/archive`)).status === 200,
    run: (await api.get(`/v1/runs/${theirs.id}`)).status === 200,
    log: (await api.get(`/v1/runs/${theirs.id}/log`)).status === 200,
    runs: lists(await api.get('/v1/runs?limit=100'), (item) => item.id === theirs.id),
    file: (await api.get(`/v1/files/${file}`)).status === 200,
    content: (await api.get(`/v1/files/${file}/content`)).status === 200,
    files: lists(await api.get('/v1/files?limit=100'), (item) => item.id === file),
    rerun: (await api.post(`/v1/runs/${theirs.id}/rerun`, {})).status < 300,
    start: (await api.post(`/v1/scripts/${slug}/runs`, {})).status < 300,
    test: (await api.post(`/v1/scripts/${slug}/versions/1/runs`, {})).status < 300,
    activity: (await api.get(`/v1/scripts/${slug}/activity`)).status === 200,
    schedule:
      (await api.post(`/v1/scripts/${slug}/schedules`, { name: slug, cron: '0 0 1 1 *' })).status === 201,
    schedules: lists(await api.get('/v1/schedules'), (item) => item.name === `by owner ${slug}`),
    change: (await api.patch(`/v1/scripts/${slug}`, { description: 'x' })).status === 200,
    tool: tools.some(({ name }) => name === slug),
    listTool: said(listed).text.includes(slug),
    getTool: await tool('get_script', { script: slug }),
    runTool: await tool('run_script', { script: slug }),
    ownTool: await mcp.callTool({ name: slug, arguments: {} }).then(
      (result) => result.isError !== true,
      () => false,
    ),
    runInTool: await tool('get_run', { runId: theirs.id }),
    plannedInTool: await tool('list_planned_requests', { runId: theirs.id }),
    logInTool: await tool('get_run_log', { runId: theirs.id }),
    resource: await mcp.readResource({ uri: `gatehouse://runs/${theirs.id}/output` }).then(
      () => true,
      () => false,
    ),
    fileResource: await mcp.readResource({ uri: `gatehouse://files/${file}` }).then(
      () => true,
      () => false,
    ),
  };
  await mcp.close();
  return knows;
}

const all = (knows: Json, value: boolean) =>
  Object.fromEntries(Object.keys(knows).map((key) => [key, value]));

describe('an app that was given chosen scripts', () => {
  it('knows those by every way, and no other by any', async () => {
    const app = await appWith({ scripts: [chosen.slug] });
    const [mine, theirs] = [await known(app, chosen), await known(app, other)];
    expect(mine).toEqual(all(mine, true));
    expect(theirs).toEqual(all(theirs, false));
  });

  it('gets no event of others by webhooks, which are of all scripts', async () => {
    const url = `https://hooks.example.invalid/${chosen.slug}`;
    const made = await client({ cookie: workspace.owner.cookie, workspace: workspace.slug }).post(
      '/v1/workspace/webhook-endpoints',
      { url },
    );
    expect(made.status, made.text).toBe(201);
    const path = `/v1/workspace/webhook-endpoints/${made.body.endpoint.id}`;
    const { api } = await appWith({ scripts: [chosen.slug] });
    for (const answer of [
      await api.get('/v1/workspace/webhook-endpoints'),
      await api.get(path),
      await api.get(`${path}/deliveries`),
      await api.post(`${path}/test`),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'forbidden']);
      expect(answer.body.error.message).toContain('given chosen ones');
    }
  });

  it('knows those with a tag, for as long as they have it', async () => {
    const app = await appWith({ scriptTags: ['for-agents'] });
    const before = await known(app, tagged);
    expect(before).toEqual(all(before, true));
    expect((await app.api.get(`/v1/scripts/${other.slug}`)).status).toBe(404);
    await owner.patch(`/v1/scripts/${tagged.slug}`, { tags: [] });
    expect((await app.api.get(`/v1/scripts/${tagged.slug}`)).status).toBe(404);
    await owner.patch(`/v1/scripts/${tagged.slug}`, { tags: ['for-agents'] });
    expect((await app.api.get(`/v1/scripts/${tagged.slug}`)).status).toBe(200);
  });

  it('can neither make scripts nor give itself others by a tag', async () => {
    const app = await appWith({ scripts: [chosen.slug], scriptTags: ['for-agents'] });
    expect((await app.api.post('/v1/scripts', { slug: 'mine', name: 'Mine' })).status).toBe(403);
    expect((await owner.get('/v1/scripts/mine')).status).toBe(404);
    expect((await app.api.patch(`/v1/scripts/${other.slug}`, { tags: ['for-agents'] })).status).toBe(404);
  });

  it('sees no more than its person, who may lose a script meanwhile', async () => {
    const member = await workspace.person('member');
    const app = await appWith({ scripts: [chosen.slug] }, member);
    expect((await app.api.get(`/v1/scripts/${chosen.slug}`)).status).toBe(200);
    const team = (await owner.post('/v1/workspace/teams', { name: 'Others' })).body.id;
    await owner.patch(`/v1/scripts/${chosen.slug}`, { access: 'teams', teamIds: [team] });
    const lost = [
      (await app.api.get(`/v1/scripts/${chosen.slug}`)).status,
      (await app.api.get(`/v1/runs/${runs[chosen.slug].id}`)).status,
      (await app.api.get('/v1/files')).body.items.length,
    ];
    await owner.patch(`/v1/scripts/${chosen.slug}`, { access: 'workspace' });
    expect(lost).toEqual([404, 404, 0]);
  });

  it('uploads files and uses them in its scripts, and sees none that others have uploaded', async () => {
    const app = await appWith({ scripts: [chosen.slug] });
    const form = new FormData();
    form.append('file', new Blob(['x']), 'x.txt');
    const upload = await app.api.post('/v1/files', form);
    expect(upload.status, upload.text).toBe(201);
    expect((await app.api.get(`/v1/files/${upload.body.id}`)).status).toBe(200);
    const others = client({
      token: (await workspace.person('member')).token,
      workspace: workspace.slug,
    }).post('/v1/files', form);
    expect((await app.api.get(`/v1/files/${(await others).body.id}`)).status).toBe(404);
  });
});

it('whoever consents chooses scripts that they see, or none', async () => {
  const app = await App.registered();
  const browser = new Browser(baseUrl(), workspace.owner.cookie);
  const uid = await app.begin(browser);
  const input = { workspace: workspace.slug, scripts: [chosen.slug, 'no-such'] };
  await expect(approve(browser, uid, input)).rejects.toThrow('"path":"scripts.1"');
  for (const nothing of [{ scripts: [] }, { scriptTags: [] }])
    await expect(approve(browser, uid, { workspace: workspace.slug, ...nothing })).rejects.toThrow(
      'invalid_request',
    );
});
