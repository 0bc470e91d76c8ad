import type { RJSFSchema } from '@rjsf/utils';

import type { JsonSchema } from '../../../../json-schema/json-schema.js';
import { walkSchema } from '../../../../json-schema/walk-schema.js';
import { isObject, pointerSteps } from './schema-pointer.js';

/** Fields, alternatives and the like: more would not be filled in by hand either. */
const MOST_PARTS = 1_000;

const MAPS = ['properties', 'dependentSchemas', 'dependencies'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const SINGLE = ['if', 'then', 'else', 'not', 'contains', 'propertyNames', 'unevaluatedProperties'];

/** Drawn for each entry that there is. */
const REPEATED = ['items', 'additionalProperties', 'unevaluatedItems'];

/** What takes the inputs as one text of JSON. */
const AS_JSON: RJSFSchema = { type: 'object', title: 'Inputs' };

export interface Shown {
  schema: RJSFSchema;
  /** The form would have too many fields, so there is one for all. */
  isWhole: boolean;
}

/**
 * The part of a schema that says how a form looks. The form follows each reference while it is drawn, and tries patterns on
 * names, without an end to either: schemas that grow by their references are written as JSON, and patterns are left to the check.
 * @param inputs what is filled in at first
 */
export function shownSchema(schema: RJSFSchema, inputs: unknown): Shown {
  if (!new PartCount(schema).isSmall(inputs)) return { schema: AS_JSON, isWhole: true };
  return { schema: withoutPatterns(schema), isWhole: false };
}

/** Counts the parts of a form as they are drawn: what is referred to twice counts twice. */
class PartCount {
  private left = MOST_PARTS;
  private readonly repeated = new Set<unknown>();
  private largestEntry = 1;
  private entries = 0;

  constructor(private readonly root: RJSFSchema) {}

  isSmall(inputs: unknown): boolean {
    this.count(this.root, 1);
    this.entries += entriesOf(inputs);
    return this.left >= this.entries * this.largestEntry;
  }

  private count(node: unknown, times: number): void {
    this.left -= times;
    if (this.left < 0 || !isObject(node)) return;
    this.entries += entriesOf(node['default']);
    if ('$ref' in node || '$dynamicRef' in node) this.countReferred(node, times);
    for (const key of MAPS) if (isObject(node[key])) this.countAll(Object.values(node[key]), times);
    for (const key of LISTS) if (Array.isArray(node[key])) this.countAll(node[key], times);
    this.countAll(SINGLE.map((key) => node[key]).filter(isObject), times);
    const first = Number(node['minItems'] ?? 0);
    for (const key of REPEATED.filter((each) => isObject(node[each]))) {
      if (first > 0) this.count(node[key], times * first);
      else this.countOnce(node[key]);
    }
  }

  private countAll(nodes: readonly unknown[], times: number): void {
    for (const node of nodes) this.count(node, times);
  }

  /** A tree has entries of its own kind: they are drawn as they are added. */
  private countOnce(node: unknown): void {
    const isReference = isObject(node) && typeof node['$ref'] === 'string';
    const kind = (isReference && this.at(node['$ref'] as string)) || node;
    if (this.repeated.has(kind)) return;
    this.repeated.add(kind);
    const before = this.left;
    this.count(node, 1);
    this.largestEntry = Math.max(this.largestEntry, before - this.left);
  }

  private countReferred(node: Record<string, unknown>, times: number): void {
    const target = typeof node['$ref'] === 'string' ? this.at(node['$ref']) : undefined;
    // The form follows no other references, so how often the check would follow them is not known.
    if (target === undefined) this.left = -1;
    else this.count(target, times);
  }

  private at(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    return pointerSteps(reference).reduce<unknown>(
      (at, step) => (isObject(at) ? at[step] : undefined),
      this.root,
    );
  }
}

/** An object has about as many members as its schema names. */
const USUAL_MEMBERS = 100;

/** How many entries lists have, at any depth, and objects beyond what is usual. */
function entriesOf(value: unknown): number {
  if (!isObject(value)) return 0;
  const members = Object.values(value);
  const own = Array.isArray(value) ? members.length : Math.max(0, members.length - USUAL_MEMBERS);
  return members.reduce<number>((sum, inner) => sum + entriesOf(inner), own);
}

function withoutPatterns(schema: RJSFSchema): RJSFSchema {
  const copy = structuredClone(schema);
  for (const { schema: node } of walkSchema(copy as JsonSchema) as { schema: Record<string, unknown> }[]) {
    delete node['pattern'];
    if (node['patternProperties'] === undefined) continue;
    // Which names fit is left to the check, so any can be added.
    delete node['patternProperties'];
    node['additionalProperties'] = true;
  }
  return copy;
}
