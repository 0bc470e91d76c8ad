import type { InputProblem } from '../invalid-input/index.js';
import { FILE_FORMAT } from './formats.js';
import { isSchemaObject, pointerTokens } from './json-schema.js';
import { compileLinearRegExp } from './linear-regexp.js';
import type { SchemaNode } from './walk-schema.js';

export type SchemaKind = 'input' | 'output';

/** What of draft 07 means something else is refused by name, such as a list in `items`. Zod names it. */
const DIALECTS = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema'];
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

type Problem = readonly [steps: readonly string[], message: string];

/** What our rules, on top of JSON Schema's own, find wrong with the schemas of a walk. Paths begin with `path`. */
export function brokenRules(nodes: readonly SchemaNode[], kind: SchemaKind, path: string): InputProblem[] {
  const targets = referenceTargets(nodes);
  const problems = nodes.flatMap((node) =>
    [
      ...dialectProblems(node),
      ...referenceProblems(node, targets),
      ...patternProblems(node),
      ...formatProblems(node, kind),
    ].map(([steps, message]) => ({ path: [path, ...node.steps, ...steps].join('.'), message })),
  );
  return problems.length > 0 ? problems : endlessReferences(nodes, targets, path);
}

function* dialectProblems({ schema, steps }: SchemaNode): Generator<Problem> {
  const dialect = schema['$schema'];
  if (
    dialect !== undefined &&
    (typeof dialect !== 'string' || !DIALECTS.includes(dialect.replace(/#$/, '')))
  ) {
    yield [['$schema'], `must be ${DIALECTS.join(', ')} or left out: no other draft is understood`];
  }
  if (schema['$id'] !== undefined && steps.length > 0) yield [['$id'], 'is allowed at the root only'];
  if (schema['id'] !== undefined && typeof schema['id'] === 'string') {
    yield [['id'], 'is not a keyword of draft 2020-12; use $id at the root or leave it out'];
  }
  if (schema['$async'] !== undefined) yield [['$async'], 'is not a keyword of JSON Schema'];
  const properties = schema['properties'];
  if (isSchemaObject(properties) && Object.hasOwn(properties, '__proto__')) {
    yield [['properties', '__proto__'], 'is not allowed as a name'];
  }
}

function* referenceProblems({ schema }: SchemaNode, targets: Map<string, SchemaNode>): Generator<Problem> {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = schema[keyword];
    if (typeof reference !== 'string') continue;
    if (!reference.startsWith('#')) {
      yield [[keyword], 'must begin with #: only references inside the same schema are followed'];
    } else if (!targets.has(targetKey(reference)))
      yield [[keyword], `${reference} is not a schema in this document`];
  }
}

function* patternProblems({ schema }: SchemaNode): Generator<Problem> {
  const patterns: [string[], unknown][] = [[['pattern'], schema['pattern']]];
  const byPattern = schema['patternProperties'];
  if (isSchemaObject(byPattern)) {
    for (const pattern of Object.keys(byPattern)) patterns.push([['patternProperties', pattern], pattern]);
  }
  for (const [steps, pattern] of patterns) {
    if (typeof pattern !== 'string') continue;
    try {
      compileLinearRegExp(pattern);
    } catch (error) {
      yield [steps, (error as Error).message];
    }
  }
}

function* formatProblems(node: SchemaNode, kind: SchemaKind): Generator<Problem> {
  const { schema } = node;
  const format = schema['format'];
  if (format === FILE_FORMAT) {
    if (kind === 'output')
      yield [['format'], 'file is for inputs; a run gives files back by writing them to /outputs'];
    else if (!isFilePlace(node)) {
      yield [
        ['format'],
        'file is for a property at the top of inputSchema, or for the items of an array there',
      ];
    } else if (!FIELD_NAME.test(node.steps[1]!)) {
      yield [
        [],
        'the name of an input that takes a file is letters, digits, _ and -, at most 64, for it names a folder',
      ];
    } else if (schema['type'] !== 'string') yield [['type'], 'must be "string" beside format "file"'];
  }
}

/** `properties.<name>` of the root, or `properties.<name>.items` of an array. */
function isFilePlace({ steps, parent }: SchemaNode): boolean {
  if (steps[0] !== 'properties') return false;
  return (
    steps.length === 2 || (steps.length === 3 && steps[2] === 'items' && parent?.schema['type'] === 'array')
  );
}

/** Where references may point: pointers to the schemas of the walk, and their anchors. */
function referenceTargets(nodes: readonly SchemaNode[]): Map<string, SchemaNode> {
  const targets = new Map<string, SchemaNode>();
  for (const node of nodes) {
    targets.set(JSON.stringify(node.steps), node);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = node.schema[keyword];
      if (typeof anchor === 'string') targets.set(`#${anchor}`, node);
    }
  }
  return targets;
}

function targetKey(reference: string): string {
  const tokens = pointerTokens(reference);
  return tokens === null ? reference : JSON.stringify(tokens);
}

/** A schema that comes back to itself while looking at the same value would never be done. */
function endlessReferences(
  nodes: readonly SchemaNode[],
  targets: Map<string, SchemaNode>,
  path: string,
): InputProblem[] {
  const next = new Map<SchemaNode, SchemaNode[]>(nodes.map((node) => [node, []]));
  for (const node of nodes) {
    if (node.parent && node.inPlace) next.get(node.parent)!.push(node);
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = node.schema[keyword];
      const target = typeof reference === 'string' ? targets.get(targetKey(reference)) : undefined;
      if (target) next.get(node)!.push(target);
    }
  }
  const done = new Set<SchemaNode>();
  for (const start of nodes) {
    if (done.has(start)) continue;
    const trail = new Map<SchemaNode, Iterator<SchemaNode>>();
    const stack = [start];
    while (stack.length > 0) {
      const node = stack.at(-1)!;
      if (!trail.has(node)) trail.set(node, next.get(node)![Symbol.iterator]());
      const step = trail.get(node)!.next();
      if (step.done) {
        done.add(node);
        trail.delete(node);
        stack.pop();
      } else if (trail.has(step.value)) {
        const place = [path, ...step.value.steps].join('.');
        return [
          {
            path: place,
            message: 'refers to itself without going into the value, so a check would never end',
          },
        ];
      } else if (!done.has(step.value)) stack.push(step.value);
    }
  }
  return [];
}
