import { parseArgs } from 'node:util';

import { actorsOf } from './support/actors.mjs';
import { openWorkbench } from '../bench/support/workbench.mjs';
import { ensureSchemathesis } from './support/environment.mjs';
import { startModel } from './support/model.mjs';
import { runPass } from './support/pass.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(seconds >= 10)) throw new Error('--seconds takes a number of seconds from 10 on.');

console.log(`Schemathesis over the OpenAPI document, ${seconds} s in all. To repeat it: --seed ${seed}`);
const program = await ensureSchemathesis();
const model = await startModel();
const bench = await openWorkbench(
  {
    GATEHOUSE_MODEL_URL: model.url,
    GATEHOUSE_MODEL: 'greeter',
    GATEHOUSE_MODEL_PRICE: '3/15 USD',
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
  },
  { fsync: 'off' },
);
const failed = [];
try {
  const actors = (await actorsOf(bench)).filter(({ name }) => !values.only || values.only === name);
  const shares = actors.reduce((sum, { share }) => sum + share, 0);
  for (const actor of actors) {
    const time = Math.max(5, Math.round((seconds * actor.share) / shares));
    if (!(await runPass(program, bench.gatehouse.baseUrl, actor, { seconds: time, seed })))
      failed.push(actor.name);
  }
} finally {
  await bench.close();
  model.close();
}
console.log(
  failed.length === 0 ? '\nfuzz: nothing found' : `\nfuzz: found something as ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
