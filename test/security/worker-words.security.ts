import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import { describe, expect, it } from 'vitest';

import { createClient, Seed } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { publishedScript, run } from '../support/scripts.js';

describe('words of the worker', () => {
  it('name no path of the host, where it cannot read what it needs', { tags: 'slow' }, async () => {
    const service = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open' } });
    const pool = new pg.Pool({ connectionString: service.databaseUrl });
    try {
      const { owner, slug } = await new Seed(service.baseUrl, pool).workspace();
      const api = createClient({ baseUrl: service.baseUrl, token: owner.token, workspace: slug });
      const script = await publishedScript(api, { 'main.py': 'print(1)' });
      const workers = join(service.dataDirectory, 'workers');
      for (const worker of await readdir(workers)) {
        const versions = join(workers, worker, 'versions');
        await rm(versions, { recursive: true });
        await writeFile(versions, 'in the way');
      }
      const { body } = await run(api, script);
      expect(body).toMatchObject({ status: 'failed', error: expect.stringContaining('could not be read') });
      expect(JSON.stringify(body)).not.toContain(service.dataDirectory);
    } finally {
      await pool.end();
      await service.stop();
    }
  });
});
