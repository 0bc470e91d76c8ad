import type { Client as McpClient } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client as Api, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, said } from '../support/mcp.js';
import { finished, python, run, runUntil } from '../support/scripts.js';

const FIELDS = {
  command: 'python3 main.py {code}',
  inputSchema: { type: 'object', properties: { code: { type: 'integer' } }, required: ['code'] },
};
const EXITS = `import sys
print('line', file=sys.stderr)
sys.exit(int(sys.argv[1]))`;

let workspace: TestWorkspace;
let owner: Api;
let mcp: McpClient;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ token: workspace.owner.token, workspace: workspace.slug });
  mcp = await mcpClient(await workspace.owner.agent());
});
afterAll(() => mcp?.close());

const call = async (name: string, args: Json = {}) => said(await mcp.callTool({ name, arguments: args }));

const runsOf = async (slug: string): Promise<Json[]> =>
  (await owner.get(`/v1/runs?script=${slug}`)).body.items as Json[];

describe('a batch that a model starts', () => {
  it('is started as a whole, and its runs are found by it', async () => {
    const { slug: script } = await python(owner, EXITS, FIELDS);
    const inputs = [{ code: 0 }, { code: 0 }, { code: 3 }];
    const { structured, isError, text } = await call('run_batch', {
      script,
      inputs,
      labels: { wave: 'one' },
    });
    expect(isError, text).toBe(false);
    expect(structured).toMatchObject({ batchId: expect.stringMatching(/^bat_/), count: 3 });
    for (const id of structured.runs as string[]) await runUntil(owner, id, finished);
    const { items } = (await call('list_runs', { causedBy: structured.batchId })).structured;
    expect(items.map(({ runId }: Json) => runId)).toEqual([...(structured.runs as string[])].reverse());
    expect(items[0]).toMatchObject({
      script,
      status: 'failed',
      error: expect.stringContaining('exit code 3'),
      labels: { wave: 'one' },
    });
    const failed = await call('list_runs', { script, status: 'failed', label: ['wave=one'], limit: 1 });
    expect(failed.structured).toMatchObject({ items: [{ runId: structured.runs[2] }], nextCursor: null });
    const { body } = await owner.get('/v1/workspace/audit-events?action=agent.tool_called&limit=1');
    expect(body.items[0]).toMatchObject({ target: { type: 'tool', id: 'run_batch' } });
  });

  it('is refused with each wrong place, and nothing is started', async () => {
    const { slug: script } = await python(owner, EXITS, FIELDS);
    const wrong = await call('run_batch', { script, inputs: [{ code: 0 }, { code: 'x' }] });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('inputs.1.code')]);
    const none = await call('run_batch', { script, inputs: [] });
    expect(none.text).toMatch(/^invalid_request: inputs: must be an array of 1 to 1000/);
    expect(await runsOf(script)).toEqual([]);
  });

  it('is not started where a person would have to approve a run of it', async () => {
    const { slug: script } = await python(owner, EXITS, FIELDS);
    await owner.patch(`/v1/scripts/${script}`, { approvalPolicy: 'agents' });
    const refused = await call('run_batch', { script, inputs: [{ code: 0 }] });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^conflict: .*not held/)]);
    expect(await runsOf(script)).toEqual([]);
  });
});

describe('what failed', () => {
  it('is told by its errors, their runs and the statistics', async () => {
    const source = `import sys\nraise ValueError('no such city ' + sys.argv[1])`;
    const script = await python(owner, source, FIELDS);
    for (const code of [1, 2]) await run(owner, script, { code });
    const errors = async (): Promise<Json[]> =>
      (await call('list_errors', { script: script.slug, status: 'open' })).structured.items as Json[];
    await expect.poll(async () => (await errors())[0]?.count as number).toBe(2);
    const [found] = (await errors()) as [Json];
    expect(found).toMatchObject({ exception: 'ValueError', status: 'open' });
    const { structured } = await call('get_error', { error: found.id });
    expect(structured).toMatchObject({ id: found.id, sample: expect.stringContaining('no such city') });
    const { items } = (await call('list_runs', { errorId: found.id })).structured;
    expect(items).toHaveLength(2);
    await expect
      .poll(async () => (await call('get_run_statistics', { script: script.slug })).structured.totals)
      .toMatchObject({ succeeded: 0, failed: 2, successRate: 0 });
  });

  it('is asked for in words that can be mended', async () => {
    expect((await call('list_runs', { status: 'broken' })).text).toMatch(/^invalid_request: status/);
    expect((await call('get_run_statistics', { version: 1 })).text).toMatch(/^invalid_request: version/);
    expect((await call('get_error', { error: 'err_no' })).text).toMatch(/^not_found: /);
  });
});
