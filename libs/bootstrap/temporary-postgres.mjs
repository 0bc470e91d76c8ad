import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { prepareProgram } from './prepare.mjs';
import { built, root } from './project.mjs';

/**
 * Calls `work` with the address of a PostgreSQL of its own and the directory that it lives in; both are gone afterwards.
 * From then on the project's directory is the current one.
 */
export async function withPostgres(work) {
  process.chdir(root);
  await prepareProgram();
  const { EmbeddedPostgres } = await built('src/core/database/embedded/embedded-postgres.js');
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'));
  const postgres = new EmbeddedPostgres({ dataDir: directory, settings: { fsync: 'off' } });
  try {
    const { url } = await postgres.start();
    return await work({ url, directory });
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
