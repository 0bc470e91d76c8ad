import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import ts from 'typescript';

import { digestOf, isDescribed, METADATA, PLUGIN } from './openapi-insertions.mjs';
import { Obstacle, root, run } from './project.mjs';

const { before } = await import(`${PLUGIN.name}/plugin`);
const FACTORY = '_OPENAPI_METADATA_FACTORY';
const { values } = parseArgs({
  options: { check: { type: 'boolean' }, to: { type: 'string', default: METADATA } },
});

/**
 * Records what Nest's plugin for the compiler adds to DTOs and controllers. It takes the types of the whole program to know that;
 * the build, which takes each file by itself, inserts what is recorded. With `--to`, it is written into another file; with
 * `--check`, a difference from the record is an error.
 */
await run(() => {
  const path = join(root, values.to);
  const text = stringify(metadata());
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  if (values.check) throw new Obstacle(`${METADATA} is not that of the DTOs and controllers.`);
  writeFileSync(path, text);
});

/** A line for each insertion. */
function stringify(files) {
  const entries = Object.entries(files).map(([path, { digest, insertions }]) => {
    const lines = insertions.map((insertion) => `    ${JSON.stringify(insertion)}`).join(',\n');
    return `${JSON.stringify(path)}: {\n  "digest": "${digest}",\n  "insertions": [\n${lines}\n  ]\n}`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}

function metadata() {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.build.json'), {}, ts.sys);
  const program = ts.createProgram(config.fileNames, config.options);
  const transform = before(PLUGIN.options, program);
  const files = program.getSourceFiles().filter(({ fileName }) => isDescribed(relative(root, fileName)));
  const found = files.map((file) => {
    const [changed] = ts.transform(file, [transform], config.options).transformed;
    const insertions = [...importsOf(changed), ...factoriesOf(changed), ...decoratorsOf(changed)];
    insertions.sort(([a], [b]) => a - b);
    return [relative(root, file.fileName), { digest: digestOf(file.text), insertions }];
  });
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isAdded(node) {
  return node.pos < 0;
}

function importsOf(file) {
  const added = file.statements.filter((node) => ts.isImportDeclaration(node) && isAdded(node));
  return added.map((node) => [0, `${print(node, file)} `]);
}

/** Of DTOs: a method that describes their properties, at the end of the class. */
function factoriesOf(file) {
  return file.statements.filter(ts.isClassDeclaration).flatMap((node) => {
    const factory = node.members.find((member) => member.name?.text === FACTORY);
    if (!factory) return [];
    const described = print(factory.body.statements[0].expression, file);
    return [[ts.getOriginalNode(node).end - 1, `static ${FACTORY}() { return ${described}; } `]];
  });
}

/** Of controllers: decorators around those that a route has. */
function decoratorsOf(file) {
  const methods = file.statements.filter(ts.isClassDeclaration).flatMap(({ members }) => [...members]);
  return methods.filter(ts.isMethodDeclaration).flatMap((method) => {
    const all = ts.getDecorators(method) ?? [];
    const own = ts.getDecorators(ts.getOriginalNode(method)) ?? [];
    const first = all.indexOf(own[0]);
    if (own.some((decorator, index) => all[first + index] !== decorator))
      throw new Obstacle(`${file.fileName}: the comment of a route describes it, not ApiOperation.`);
    const added = (decorators) =>
      decorators.filter(isAdded).map((node) => `@${print(node.expression, file)} `);
    return [
      ...added(all.slice(0, first)).map((text) => [own[0].getStart(), text]),
      ...added(all.slice(first)).map((text) => [own.at(-1).end, ` ${text}`]),
    ];
  });
}

/** On one line: what comes after it keeps its line number. */
function print(node, file) {
  const text = ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Unspecified, node, file);
  return text.replace(/\n\s*/g, ' ');
}
