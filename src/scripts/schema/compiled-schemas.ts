import { createHash } from 'node:crypto';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { canonicalJson } from './canonical-json.js';
import { SCHEMA_FORMATS } from './formats.js';
import { withoutKeywords, type JsonSchema } from './json-schema.js';
import { ajvRegExp } from './linear-regexp.js';
import { isPlainSchema } from './plain-schema.js';
import type { SchemaKind } from './schema-rules.js';
import { withinTime } from './time-limit.js';

const MAX_COMPILED = 500;
const COMPILE_LIMIT_MS = 3_000;
const CHECK_LIMIT_MS = 1_000;

/** A schema, compiled. */
export class CompiledSchema {
  private readonly validate: ValidateFunction;
  private readonly plain: boolean;

  /** @throws Error where Ajv cannot compile the schema, TimeLimitPassed where that takes too long */
  constructor(schema: JsonSchema, kind: SchemaKind) {
    this.plain = isPlainSchema(schema);
    this.validate = withinTime(COMPILE_LIMIT_MS, () => compile(schema, kind));
  }

  /**
   * The errors of a value, empty when it fits. Fills in defaults when the schema is one of inputs.
   *
   * @throws TimeLimitPassed or RangeError for a schema and value that are too much together
   */
  check(value: unknown): ErrorObject[] {
    const validate = (): boolean => this.validate(value);
    const fits = this.plain ? validate() : withinTime(CHECK_LIMIT_MS, validate);
    const errors = fits ? [] : (this.validate.errors ?? []);
    // Errors can be many, and the function would hold them until its next call.
    this.validate.errors = null;
    return errors;
  }
}

const compiled = new Map<string, CompiledSchema>();

/** The compiled form of a schema that `checkSchema` has let pass, from the cache when it was used lately. */
export function compiledSchema(schema: JsonSchema, kind: SchemaKind): CompiledSchema {
  const key = createHash('sha256').update(kind).update(canonicalJson(schema)).digest('base64');
  const entry = compiled.get(key) ?? new CompiledSchema(schema, kind);
  // A Map keeps its order of insertion: what was used last stands last, and the first is the one to drop.
  compiled.delete(key);
  compiled.set(key, entry);
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value!);
  return entry;
}

/**
 * One Ajv per schema, for an instance never forgets what it compiled. Code must grow with the schema's size only: references become
 * functions (`inlineRefs: false`), and all errors are looked for, because stopping at the first nests one `if` per keyword, which
 * takes quadratic time and overflows the stack at 2,000 properties. `ownProperties` keeps `constructor` and the like from counting as given.
 */
function compile(schema: JsonSchema, kind: SchemaKind): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: kind === 'input',
    ownProperties: true,
    inlineRefs: false,
    strict: false,
    strictNumbers: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    logger: false,
    formats: { ...SCHEMA_FORMATS },
    code: { regExp: ajvRegExp, optimize: false },
  });
  return ajv.compile(withoutKeywords(schema, '$schema', '$id'));
}
