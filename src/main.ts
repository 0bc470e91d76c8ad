import 'reflect-metadata';

import { nodeProblem } from './node-version.js';

const problem = nodeProblem();
if (problem === null) {
  const { start } = await import('./start.js');
  await start(process.env);
} else {
  console.error(problem);
  process.exitCode = 1;
}
