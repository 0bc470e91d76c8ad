import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/**
 * Bundles the command line into `dist`, or the folder that is named: what starts it, and a piece for each command that is
 * loaded when it is used.
 */
const directory = fileURLToPath(new URL('.', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const outdir = process.argv[2] === undefined ? join(directory, 'dist') : resolve(process.argv[2]);
rmSync(outdir, { recursive: true, force: true });
/**
 * Run as a program, the file begins as a script of the shell: this line starts Node, for which it is a text and a comment. Without
 * the `--`, Node would take `--env-file`, which is an option of ours, for its own.
 */
const START = '":" //; exec node -- "$0" "$@"';
/** What is bundled and not a module of this kind asks for Node's by `require`. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
await build({
  absWorkingDir: directory,
  entryPoints: { gatehouse: 'src/gatehouse.ts' },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['@gatehouse/source'],
  define: { VERSION: JSON.stringify(version) },
  banner: { js: `${START}\n${REQUIRE}` },
  minifySyntax: true,
  legalComments: 'linked',
  logLevel: 'warning',
});
chmodSync(join(outdir, 'gatehouse.mjs'), 0o755);
