import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { entitiesOf, examine, tablesOf } from './check/sql.mjs';
import { Obstacle, root, run } from './project.mjs';

/** Fails where SQL stands outside of the files for it, or writes another folder's table. */
await run(() => {
  const files = sources();
  const ownersOf = (named) => new Map(files.flatMap((file) => named(file).map((name) => [name, file.owner])));
  const owners = { tables: ownersOf(tablesOf), entities: ownersOf(entitiesOf) };
  const found = files.map((file) => examine(file, owners));
  const problems = found.flatMap((file) => file.problems);
  const count = found.reduce((sum, { statements }) => sum + statements, 0);
  if (problems.length > 0) throw new Obstacle(`docs/decisions/entities.md:\n${problems.join('\n')}`);
  console.log(`${count} statements in SQL`);
});

/** The program, without what carries statements out, and what makes and copies tables. */
function sources() {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(path))
    .filter((path) => !/^(migrations|core\/(copies|database))\//.test(path))
    .map((path) => {
      const [domain, room] = path.split('/');
      const text = readFileSync(join(root, 'src', path), 'utf8');
      return { path, text, owner: domain === 'core' ? `core/${room}` : domain };
    });
}
