import { prepare } from './prepare.mjs';
import { Obstacle, root, run } from './project.mjs';

const USAGE = 'Usage: npm run kills -- NUMBER [--seed NUMBER]';

/** `npm run kills -- N`: prepares, then kills processes of a Gatehouse of its own N times and looks for what was lost. */
await run(async () => {
  process.chdir(root);
  const [count, option, seed, ...more] = process.argv.slice(2);
  const isNumber = (text) => /^\d{1,9}$/.test(text ?? '');
  if (
    !isNumber(count) ||
    more.length > 0 ||
    (option !== undefined && (option !== '--seed' || !isNumber(seed)))
  )
    throw new Obstacle(USAGE);
  await prepare({ all: true });
  const { killAndCount } = await import('../../test/kills/kills.mjs');
  process.exitCode = (await killAndCount(Number(count), seed === undefined ? undefined : Number(seed)))
    ? 0
    : 1;
});
