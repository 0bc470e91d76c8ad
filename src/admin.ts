import 'reflect-metadata';

import { nodeProblem } from './node-version.js';

const problem = nodeProblem();
if (problem === null) {
  const { carryOut } = await import('./admin/program.js');
  await carryOut();
} else {
  console.error(problem);
  process.exitCode = 1;
}
