import { beforeEach, describe, expect, inject, it } from 'vitest';

import { createClient, type Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { copyScript } from '../support/copied-rows.js';
import { database, startGatehouse } from '../support/gatehouse.js';
import { post } from '../support/mcp.js';
import { python } from '../support/scripts.js';
import { type TriggerWorld, newTriggerWorld } from '../support/triggers.js';

const KiB = 1024;
const MiB = 1024 * KiB;

let attacker: TriggerWorld;

beforeEach(async () => {
  attacker = await newTriggerWorld();
});

/** How often the service says that it lives until something is over. */
async function responsesDuring(flood: Promise<unknown>, baseUrl: string): Promise<number> {
  const anybody = createClient({ baseUrl });
  let over = false;
  let responses = 0;
  const end = flood.finally(() => (over = true));
  while (!over) {
    expect((await anybody.get('/health/live')).status).toBe(200);
    responses += 1;
  }
  await end;
  return responses;
}

describe('the list of tools of an agent', () => {
  it(
    'of 200 scripts with schemas of 100 KiB each comes in pages of 2 MiB, to the last of them',
    { tags: 'slow' },
    async () => {
      const { api, workspace } = attacker;
      const description = 'x'.repeat(50 * KiB);
      const { id } = await python(api, 'pass', {
        inputSchema: { type: 'object', description },
        outputSchema: { description },
      });
      await copyScript(id, 200);
      const token = await workspace.owner.agent();
      const names: string[] = [];
      let cursor: string | undefined;
      const env = {
        DATABASE_URL: inject('databaseUrl'),
        GATEHOUSE_MCP_TOOLS: '100000',
        GATEHOUSE_ROLE: 'api',
      };
      const generous = await startGatehouse({ env });
      do {
        const params = cursor === undefined ? {} : { cursor };
        const message = { method: 'tools/list', params };
        const { body, text } = await post(token, message, { url: generous.baseUrl });
        expect(text.length).toBeLessThan(3 * MiB);
        names.push(...body.result.tools.map(({ name }: Json) => name as string));
        cursor = body.result.nextCursor as string | undefined;
      } while (cursor !== undefined);
      await generous.stop();
      const copies = names.filter((name) => name.startsWith('copy-'));
      expect(new Set(copies).size).toBe(200);
      expect(copies).toHaveLength(200);
    },
  );
});

describe('500 triggers whose filters have 16 KiB each', () => {
  it('are read for the page of a script without keeping others waiting, and only those that may follow it are shown', async () => {
    const { api, workspace, script } = attacker;
    // About the script and not, of many parts, such as take long to read.
    const filters = ['script.slug', 'error'].map((path) => JSON.stringify({ [path]: Array(8_000).fill(0) }));
    await database().query(
      `INSERT INTO triggers (id, workspace_id, environment_id, script_id, name, event_type, filter, inputs, by_agent,
         created_by_user_id, author_user_id)
       SELECT id, $2, $3, $4, 'left', 'run.failed', ($5::json[])[1 + place % 2], '{}', false, $6, $6
       FROM unnest($1::text[]) WITH ORDINALITY AS t(id, place)`,
      [
        Array.from({ length: 500 }, () => newId('trigger')),
        workspace.id,
        workspace.environmentId,
        script.id,
        filters,
        workspace.owner.id,
      ],
    );
    const followed = await python(api, 'pass');
    // Of a process that has nothing else to do.
    const env = { DATABASE_URL: inject('databaseUrl'), GATEHOUSE_ROLE: 'api', GATEHOUSE_RATE_LIMIT: '0' };
    const idle = await startGatehouse({ env });
    const { owner, slug } = workspace;
    const own = createClient({ baseUrl: idle.baseUrl, token: owner.token, workspace: slug });
    const page = () => own.get(`/v1/scripts/${followed.slug}`);
    const pages = async () => {
      for (let count = 0; count < 8; count++) await page();
    };
    try {
      expect((await page()).body.usedBy.followedBy).toHaveLength(250);
      // Three for each page: none takes the event loop for as long as it is made.
      expect(await responsesDuring(pages(), idle.baseUrl)).toBeGreaterThan(24);
    } finally {
      await idle.stop();
    }
  });
});
