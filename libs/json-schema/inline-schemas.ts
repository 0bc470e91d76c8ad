import { type SchemaCheck, compileSchema } from './compile-schema.js';
import type { JsonSchema } from './json-schema.js';
import { Recent } from './recent.js';
import { type SchemaCost, costOf, isWithin } from './schema-cost.js';
import type { SchemaKind } from './schema-rules.js';

/** Longer schemas are not even measured on the event loop. */
const MOST_CHARACTERS = 16 * 1024;
/** Compiling takes some ten microseconds for each. */
const MOST_SIZE = 300;
/** Between two that are compiled on the event loop, it is free for this long. */
const COMPILE_EVERY_MS = 20;
/** Steps of a check, a millisecond in all where each of them finds an error. */
const MOST_STEPS = 10_000;
const MOST_KEPT_SIZE = 30_000;

interface Entry {
  cost: SchemaCost;
  check: SchemaCheck;
}

/** Schemas that are so simple that checks against them may hold up the event loop, for it is known how little. */
export class InlineSchemas {
  private readonly kept = new Recent<Entry>(MOST_KEPT_SIZE);
  private mayCompileAt = 0;

  /** The check of this value, where its cost is known to be small; otherwise null. */
  checkFor(schema: JsonSchema, kind: SchemaKind, value: unknown): SchemaCheck | null {
    const text = JSON.stringify(schema);
    const entry = this.kept.get(kind + text) ?? this.make(text, schema, kind);
    return entry && isWithin(MOST_STEPS, entry.cost, value) ? entry.check : null;
  }

  /** Whether a schema that nobody has checked yet may be checked and compiled here. */
  mayCheck(schema: JsonSchema): boolean {
    const text = JSON.stringify(schema);
    return text.length <= MOST_CHARACTERS && isSmall(costOf(schema)) && this.mayCompile();
  }

  /** Compiles a schema that `mayCheck` has let pass. */
  compile(schema: JsonSchema, kind: SchemaKind): SchemaCheck {
    const key = kind + JSON.stringify(schema);
    return (this.kept.get(key) ?? this.keep(key, schema, kind, costOf(schema))).check;
  }

  private make(text: string, schema: JsonSchema, kind: SchemaKind): Entry | null {
    if (text.length > MOST_CHARACTERS) return null;
    const cost = costOf(schema);
    return isSmall(cost) && this.mayCompile() ? this.keep(kind + text, schema, kind, cost) : null;
  }

  private keep(key: string, schema: JsonSchema, kind: SchemaKind, cost: SchemaCost): Entry {
    const check = compileSchema(schema, kind, { allErrors: true });
    return this.kept.add(key, { cost, check }, cost.size);
  }

  /** However many new schemas come at once, they are not compiled here one after the other. */
  private mayCompile(): boolean {
    const now = performance.now();
    if (now < this.mayCompileAt) return false;
    this.mayCompileAt = now + COMPILE_EVERY_MS;
    return true;
  }
}

function isSmall({ size, perValue }: SchemaCost): boolean {
  return size <= MOST_SIZE && perValue !== null;
}
