import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import type { GatehouseProcess, Json, TestWorkspace } from '../../libs/testing/index.js';
import { copyScript } from '../support/copied-rows.js';
import { client, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { mcpClient, post, said } from '../support/mcp.js';
import { python } from '../support/scripts.js';

const COPIES = 1_003;

describe('a list of more tools than one response holds', () => {
  let workspace: TestWorkspace;
  let agent: string;
  /** Over the same database, whose operator has more listed than 40. */
  let generous: GatehouseProcess;
  let url: string;

  beforeAll(async () => {
    const env = { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_MCP_TOOLS: '100000', GATEHOUSE_ROLE: 'api' };
    generous = await startGatehouse({ env });
    url = generous.baseUrl;
    workspace = await newWorkspace();
    agent = await workspace.owner.agent();
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    const { id } = await python(api, 'print(1)', { command: 'python main.py' });
    await copyScript(id, COPIES);
  });
  afterAll(() => generous?.stop());

  it('is cut at forty by default, and the others are found and run by their names', async () => {
    const mcp = await mcpClient(agent);
    const { tools, nextCursor } = await mcp.listTools();
    expect(tools).toHaveLength(40);
    expect(nextCursor).toBeUndefined();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['find_scripts', 'run_script']));
    expect(names).not.toContain('copy-999');
    const found = said(await mcp.callTool({ name: 'find_scripts', arguments: { q: 'COPY-999' } }));
    expect(found.structured).toMatchObject({
      items: [{ script: 'copy-999', inputSchema: { type: 'object' } }],
      hasMore: false,
    });
    const many = said(await mcp.callTool({ name: 'find_scripts', arguments: { q: 'copy', limit: 5 } }));
    expect(many.structured).toMatchObject({ hasMore: true, items: { length: 5 } });
    const ran = said(await mcp.callTool({ name: 'run_script', arguments: { script: 'copy-999' } }));
    expect(ran).toMatchObject({ isError: false, text: '1' });
    await mcp.close();
  });

  it('is told in pages, each tool once and always in the same order', async () => {
    const first = await page();
    expect(first.tools.length).toBeGreaterThan(1_000);
    expect(first.nextCursor).toMatch(/^[\w-]+$/);
    expect(first.nextCursor).not.toContain('copy');
    const second = await page(first.nextCursor);
    expect(second).not.toHaveProperty('nextCursor');
    expect(await page(first.nextCursor)).toEqual(second);
    const names = [...first.tools, ...second.tools].map(({ name }: Json) => name as string);
    const scripts = names.filter((name) => !name.includes('_'));
    expect(scripts).toHaveLength(COPIES + 1);
    expect(scripts).toEqual([...new Set(scripts)].sort());
    expect(second.tools.every(({ name }: Json) => !name.includes('_'))).toBe(true);
  });

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'is read whole by the official client of %s',
    async (version) => {
      const mcp = await mcpClient(agent, { version, url });
      const { tools } = await mcp.listTools();
      let cursor = (await mcp.listTools({})).nextCursor;
      const names = new Set(tools.map(({ name }) => name));
      while (cursor !== undefined) {
        const next = await mcp.listTools({ cursor });
        for (const { name } of next.tools) names.add(name);
        cursor = next.nextCursor;
      }
      expect([...names].filter((name) => !name.includes('_'))).toHaveLength(COPIES + 1);
      await mcp.close();
    },
  );

  it.each([
    '',
    'nonsense',
    Buffer.from('tools.').toString('base64url'),
    Buffer.from("tools.x' OR true").toString('base64url'),
    `${Buffer.from('tools.1.copy-1').toString('base64url')}=`,
    Buffer.from('tools.copy-1').toString('base64url'),
    Buffer.from('tools.-1.copy-1').toString('base64url'),
    Buffer.from('scripts.copy-1').toString('base64url'),
    'x'.repeat(10_000),
  ])('is not told by what is no cursor: %.40j', async (cursor) => {
    const { status, body } = await post(agent, { method: 'tools/list', params: { cursor } }, { url });
    expect([status < 500, body.error.code, body.error.message]).toEqual([
      true,
      -32602,
      expect.stringContaining('is not a cursor'),
    ]);
  });

  it("shows by another's cursor nothing of theirs", async () => {
    const { nextCursor } = await page();
    const stranger = await (await newWorkspace()).owner.agent();
    const { body } = await post(stranger, { method: 'tools/list', params: { cursor: nextCursor } }, { url });
    expect(body.result.tools).toEqual([]);
  });

  async function page(cursor?: string): Promise<Json> {
    const params = cursor === undefined ? {} : { cursor };
    const { status, body } = await post(agent, { method: 'tools/list', params }, { url });
    expect(status).toBe(200);
    return body.result as Json;
  }
});
