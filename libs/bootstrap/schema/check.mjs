import { Obstacle, run } from '../project.mjs';
import { catalogue } from './catalogue.mjs';
import { withDatabase } from './database.mjs';

/** Fails where a database made by the migrations and one made from the entities differ. */
async function check() {
  await withDatabase(async (server) => {
    const migrated = await server.migrated();
    const left = await migrated.driver.createSchemaBuilder().log();
    const ours = await catalogue(migrated);
    await migrated.destroy();
    const synchronized = await server.synchronized();
    const theirs = await catalogue(synchronized);
    await synchronized.destroy();
    const differences = [
      ...ours.filter((line) => !theirs.includes(line)).map((line) => `only in the migrations: ${line}`),
      ...theirs.filter((line) => !ours.includes(line)).map((line) => `only in the entities: ${line}`),
      ...left.upQueries.map(({ query }) => `TypeORM would still do: ${query}`),
    ];
    if (differences.length === 0) return;
    throw new Obstacle(
      `Entities and migrations differ (\`npm run migration:generate -- NAME\` writes the difference):\n${differences.join('\n')}`,
    );
  });
}

await run(check);
