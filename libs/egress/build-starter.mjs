// Compiles what starts the gate's process. Usage: node libs/egress/build-starter.mjs [directory]
// The result is `<directory>/gate-starter`, by default in dist/libs/egress.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildProgram } from '../sandbox/build-launcher.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const directory = process.argv[2] ? resolve(process.argv[2]) : join(here, '../../dist/libs/egress');

try {
  console.log(buildProgram(join(here, 'native'), join(directory, 'gate-starter'), "the gate's starter"));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
