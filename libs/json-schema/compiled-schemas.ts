import type { ErrorObject } from 'ajv/dist/2020.js';

import { type SchemaCheck, compileSchema } from './compile-schema.js';
import type { JsonSchema } from './json-schema.js';
import { Recent } from './recent.js';
import { costOf } from './schema-cost.js';
import { BudgetSpent, Meter, metered } from './schema-meter.js';
import type { SchemaKind } from './schema-rules.js';
import { TimeLimitPassed, withinTime } from './time-limit.js';

const COMPILE_LIMIT_MS = 5_000;
const CHECK_LIMIT_MS = 2_000;
/** A check that looks for all errors may cost so much, and so it may find no more of them. */
const BUDGET_FOR_ERRORS = 200_000;
/** For 1 MiB of values and a schema of dozens; about half a second. */
const BUDGET = 20_000_000;
/** Stopping at the first error nests one `if` per keyword, which takes quadratic time and overflows the stack. */
const MOST_TO_NEST = 1_000;
/** Of what is kept compiled: a few dozen megabytes. */
const MOST_KEPT_SIZE = 60_000;

/**
 * Any schema that `checkSchema` has let pass, with every check bounded in time and cost. It may take seconds, so this is
 * for a thread or for the start of the process.
 */
class CompiledSchema implements SchemaCheck {
  private readonly meter = new Meter();
  private readonly schema: JsonSchema;
  private readonly forErrors: SchemaCheck;
  private toFirstError: SchemaCheck | null = null;
  readonly size: number;

  /** @throws Error where Ajv cannot compile the schema, TimeLimitPassed where that takes too long */
  constructor(
    schema: JsonSchema,
    private readonly kind: SchemaKind,
  ) {
    this.schema = metered(schema);
    this.size = costOf(schema).size;
    this.forErrors = this.compile(true);
  }

  /**
   * The errors of a value: all of them where they are few, otherwise at least the first.
   *
   * @throws TimeLimitPassed, BudgetSpent or RangeError for a schema and value that are too much together
   */
  check(value: unknown): ErrorObject[] {
    try {
      return this.within(BUDGET_FOR_ERRORS, this.forErrors, value);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      this.toFirstError ??= this.size > MOST_TO_NEST ? this.forErrors : this.compile(false);
      return this.within(BUDGET, this.toFirstError, value);
    }
  }

  private compile(allErrors: boolean): SchemaCheck {
    const { schema, kind, meter } = this;
    return withinTime(COMPILE_LIMIT_MS, () => compileSchema(schema, kind, { allErrors, meter }));
  }

  private within(budget: number, check: SchemaCheck, value: unknown): ErrorObject[] {
    this.meter.fill(budget);
    return withinTime(CHECK_LIMIT_MS, () => check.check(value));
  }
}

const compiled = new Recent<CompiledSchema>(MOST_KEPT_SIZE);

/** The compiled form of a schema, from what was used lately or made anew. */
export function compiledSchema(schema: JsonSchema, kind: SchemaKind): CompiledSchema {
  const key = `${kind}${JSON.stringify(schema)}`;
  const known = compiled.get(key);
  if (known) return known;
  const made = new CompiledSchema(schema, kind);
  return compiled.add(key, made, made.size);
}

/** Whether a check was given up, rather than wrong in itself: the schema and the value are too much together. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof TimeLimitPassed || error instanceof BudgetSpent || error instanceof RangeError;
}
