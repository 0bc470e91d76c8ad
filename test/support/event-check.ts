import pg from 'pg';

import { type Json, Seed, createClient } from '../../libs/testing/index.js';
import { eventDataCheck } from '../../src/core/outbox/event-catalogue.js';

/**
 * Whether every event that the tests have caused is one of the catalogue, fits its schema there, and belongs to an
 * environment exactly if its type does.
 *
 * @throws Error naming each type and the place in its data
 */
export async function checkEvents(baseUrl: string, databaseUrl: string): Promise<void> {
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
    const { rows } = await pool.query<Json>('SELECT type, environment_id, data FROM events');
    for (const { type, environment_id: environmentId, data } of rows) {
      const known = catalogue.get(type);
      if (!known) problems.add(`${type} is not in the catalogue`);
      else if (known.environmentScoped !== (environmentId !== null)) {
        problems.add(
          `${type} ${environmentId === null ? 'has no' : 'has an'} environment, and its type says otherwise`,
        );
      }
      const problem = checks.get(type)?.(data);
      if (problem) problems.add(`${type}: ${problem}`);
    }
    if (problems.size > 0) {
      throw new Error(
        `Events of this run are not as their types say:\n${[...problems].map((line) => `  ${line}`).join('\n')}`,
      );
    }
    console.log(`${rows.length} events of this run fit their schemas.`);
  } finally {
    await pool.end();
  }
}
