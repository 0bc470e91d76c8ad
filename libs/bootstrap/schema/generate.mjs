import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format } from 'prettier';

import { Obstacle, run } from '../project.mjs';
import { withDatabase } from './database.mjs';

/** `npm run migration:generate -- NAME`: writes what brings the tables to where the entities are. */
async function generate(name) {
  if (!/^[a-z][a-z0-9-]*$/.test(name ?? '')) {
    throw new Obstacle('Say what the change is for, such as `npm run migration:generate -- run-labels`.');
  }
  await withDatabase(async (server) => {
    const source = await server.migrated();
    const { upQueries, downQueries } = await source.driver.createSchemaBuilder().log();
    await source.destroy();
    if (upQueries.length === 0) return console.log('Entities and tables are the same: nothing to write.');
    const file = join('src', 'migrations', `${nextNumber()}-${name}.ts`);
    writeFileSync(file, await migrationText(name, upQueries, downQueries.toReversed()));
    console.log(`Wrote ${file}. Read it: TypeORM knows neither what data means nor how large a table is.`);
  });
}

function nextNumber() {
  const numbers = readdirSync(join('src', 'migrations')).map((file) => Number.parseInt(file, 10) || 0);
  return String(Math.max(...numbers) + 1).padStart(4, '0');
}

function migrationText(name, up, down) {
  const className = `${name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('')}${Date.now()}`;
  const statements = (queries) =>
    queries.map(({ query, parameters }) => {
      const values = parameters?.length ? `, ${JSON.stringify(parameters)}` : '';
      return `await runner.query(\`${query.replaceAll('`', '\\`').replaceAll('${', '\\${')}\`${values});`;
    });
  return format(
    `import type { MigrationInterface, QueryRunner } from 'typeorm';

    export class ${className} implements MigrationInterface {
      name = '${className}';

      async up(runner: QueryRunner): Promise<void> {
        ${statements(up).join('\n')}
      }

      async down(runner: QueryRunner): Promise<void> {
        ${statements(down).join('\n')}
      }
    }
    `,
    { parser: 'typescript', singleQuote: true, printWidth: 110 },
  );
}

await run(() => generate(process.argv[2]));
