import { mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import ts from 'typescript';

/**
 * `node libs/bootstrap/compile.mjs`: compiles into `dist` what has changed of the program, as `nest-cli.json` says. The same
 * as `nest build`, whose command would bring 72 packages.
 */
const { tsConfigPath, plugins } = JSON.parse(readFileSync('nest-cli.json', 'utf8')).compilerOptions;
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile(tsConfigPath, {}, ts.sys);
const incremental = ts.createIncrementalProgram({ rootNames: fileNames, options });
const program = incremental.getProgram();
const before = await Promise.all(
  plugins.map(async (plugin) => (await import(`${plugin.name}/plugin`)).before(plugin.options, program)),
);
// Written together at the end: one after the other, they would take as long as making them.
const files = [];
const write = (path, text) => files.push([path, text]);
const { diagnostics } = incremental.emit(undefined, write, undefined, undefined, { before });
for (const folder of new Set(files.map(([path]) => dirname(path)))) mkdirSync(folder, { recursive: true });
await Promise.all(files.map(([path, text]) => writeFile(path, text)));
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
process.stderr.write(
  ts.formatDiagnostics(problems, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  }),
);
process.exitCode = problems.length === 0 ? 0 : 1;
