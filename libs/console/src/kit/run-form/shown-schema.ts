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
 */
export function shownSchema(schema: RJSFSchema): Shown {
  if (!new PartCount(schema).isSmall()) return { schema: AS_JSON, isWhole: true };
  return { schema: withoutPatterns(schema), isWhole: false };
}

/** Counts the parts of a form as they are drawn: what is referred to twice counts twice. */
class PartCount {
  private left = MOST_PARTS;
  private readonly repeated = new Set<unknown>();

  constructor(private readonly root: RJSFSchema) {}

  isSmall(): boolean {
    this.count(this.root, 1);
    return this.left >= 0;
  }

  private count(node: unknown, times: number): void {
    this.left -= times;
    if (this.left < 0 || !isObject(node)) return;
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
    const target = isObject(node) && typeof node['$ref'] === 'string' ? this.at(node['$ref']) : node;
    if (this.repeated.has(target)) return;
    this.repeated.add(target);
    this.count(target, 1);
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
