import pg from 'pg';

import { type Json, Seed, createClient } from '../../libs/testing/index.js';
import { eventDataCheck } from '../../src/core/outbox/event-catalogue.js';
import type { FileOfWorkspace } from './workspace-files.js';

/**
 * Checks that every event that the tests have caused is one of the catalogue, fits its schema there, and belongs to an environment
 * exactly if its type does.
 *
 * @returns one line for each type and place in its data that is wrong, with the test file
 */
export async function checkEvents(
  baseUrl: string,
  databaseUrl: string,
  fileOf: FileOfWorkspace,
): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    const { owner, slug } = await new Seed(baseUrl, pool).workspace();
    const { body } = await createClient({ baseUrl, token: owner.token, workspace: slug }).get(
      '/v1/workspace/event-types',
    );
    const catalogue = new Map<string, Json>(body.items.map((item: Json) => [item.type, item]));
    const checks = new Map(
      [...catalogue].map(([type, { schema }]) => [type, eventDataCheck(schema as Record<string, unknown>)]),
    );
    const problems = new Set<string>();
    const { rows } = await pool.query<Json>('SELECT type, environment_id, workspace_id, data FROM events');
    for (const { type, environment_id: environmentId, workspace_id: workspaceId, data } of rows) {
      const report = (problem: string): unknown =>
        problems.add(`event ${type} ${problem}: ${fileOf(workspaceId)}`);
      const known = catalogue.get(type);
      if (!known) report('is not in the catalogue');
      else if (known.environmentScoped !== (environmentId !== null))
        report(`${environmentId === null ? 'has no' : 'has an'} environment, and its type says otherwise`);
      const problem = checks.get(type)?.(data);
      if (problem) report(`does not fit its schema (${problem})`);
    }
    console.log(`${rows.length} events of this run were checked.`);
    return [...problems];
  } finally {
    await pool.end();
  }
}
