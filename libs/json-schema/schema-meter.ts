import { _, type Ajv, type KeywordCxt } from 'ajv';

import { isSchemaObject, type JsonSchema } from './json-schema.js';
import { ownSize } from './schema-cost.js';
import { walkSchema } from './walk-schema.js';

/** Ours alone: a schema that somebody sends with it says nothing by it, for ours is written over it. */
const KEYWORD = 'x-cost-of-check';

/**
 * A reference is a function of its own, whose errors are put to the others. Where alternatives refer to alternatives,
 * those of all are gathered although the check ends with the first that counts.
 */
const COST_OF_CALL = 200;

/** The check has cost as much as it may. */
export class BudgetSpent extends Error {
  constructor() {
    super('the check costs too much');
  }
}

/**
 * Counts what a check costs while it goes on. A schema pays for its own size each time that it looks at a value,
 * whatever leads it there. Those that go through all members pay for these as well. So the cost and the number of
 * errors are bounded for every schema, recursive ones included.
 */
export class Meter {
  private left = 0;

  fill(budget: number): void {
    this.left = budget;
  }

  /** @throws BudgetSpent */
  spend(own: number, perMember: number, value: unknown): void {
    this.left -= own + perMember * membersOf(value);
    if (this.left < 0) throw new BudgetSpent();
  }

  addTo(ajv: Ajv): void {
    ajv.addKeyword({
      keyword: KEYWORD,
      // The first that Ajv knows: what stands behind it is not looked at any more after an error.
      before: '$dynamicAnchor',
      schemaType: 'array',
      errors: false,
      code: ({ gen, data, schema }: KeywordCxt) => {
        const [own, perMember] = schema as [number, number];
        const meter = gen.scopeValue('keyword', { ref: this });
        gen.code(_`${meter}.spend(${own}, ${perMember}, ${data})`);
      },
    });
  }
}

function membersOf(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 64);
  if (typeof value !== 'object' || value === null) return 1;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** A copy of a schema in which every schema pays for itself. */
export function metered(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  for (const node of walkSchema(copy)) {
    const refers = node.schema['$ref'] !== undefined || node.schema['$dynamicRef'] !== undefined;
    (node.schema as Record<string, unknown>)[KEYWORD] = [
      ownSize(node) + (refers ? COST_OF_CALL : 0),
      perMember(node.schema),
    ];
  }
  return copy;
}

/** How often a schema itself goes through all members of a value. */
function perMember(schema: JsonSchema): number {
  const byPattern = schema['patternProperties'];
  const patterns = isSchemaObject(byPattern) ? Object.keys(byPattern).length : 0;
  const others = ['items', 'contains', 'additionalProperties', 'propertyNames', 'unevaluatedItems'];
  const rest = [...others, 'unevaluatedProperties', 'pattern', 'uniqueItems'];
  return patterns + rest.filter((keyword) => schema[keyword] !== undefined).length;
}
