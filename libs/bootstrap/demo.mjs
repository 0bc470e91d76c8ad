import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { prepare } from './prepare.mjs';
import { Obstacle, loadEnvironmentFile, root, run } from './project.mjs';

/** `npm run demo`: fills the instance that runs on this machine with a made-up team, for looking around. */
await run(async () => {
  process.chdir(root);
  loadEnvironmentFile();
  const data = resolve(process.env.GATEHOUSE_DATA ?? '.data');
  const read = (name) => JSON.parse(readFileSync(join(data, name), 'utf8'));
  if (!existsSync(join(data, 'first-run.json'))) {
    throw new Obstacle(
      `No instance was started on ${data} yet: start it with \`npm start\`, and leave it running.`,
    );
  }
  await prepare();
  const databaseUrl = process.env.DATABASE_URL ?? read('postgres.json').url;
  const { fill } = await import('../../test/demo/fill.mjs');
  await fill(read('first-run.json'), { databaseUrl, say: console.log });
  console.log(`Filled. Open ${read('first-run.json').baseUrl}`);
});
