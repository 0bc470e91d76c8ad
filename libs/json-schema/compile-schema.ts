import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

import { SCHEMA_FORMATS } from './formats.js';
import { withoutKeywords, type JsonSchema } from './json-schema.js';
import { ajvRegExp } from './linear-regexp.js';
import { MULTIPLE_OF } from './multiple-of.js';
import type { Meter } from './schema-meter.js';
import type { SchemaKind } from './schema-rules.js';

interface CompileOptions {
  /** Whether the check goes on after the first error. */
  allErrors: boolean;
  /** Counts what the check costs, of a schema that was `metered`. */
  meter?: Meter;
}

/** A schema that a value can be checked against. */
export interface SchemaCheck {
  /** The errors of a value, empty when it fits. Fills in defaults when the schema is one of inputs. */
  check(value: unknown): ErrorObject[];
}

/**
 * One Ajv per schema, for an instance never forgets what it compiled. Code must grow with the schema's size only: references become
 * functions (`inlineRefs: false`). `ownProperties` keeps `constructor` and the like from counting as given.
 *
 * @throws Error where Ajv cannot compile it
 */
export function compileSchema(
  schema: JsonSchema,
  kind: SchemaKind,
  { allErrors, meter }: CompileOptions,
): SchemaCheck {
  const ajv = new Ajv2020({
    allErrors,
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
  ajv.removeKeyword(MULTIPLE_OF.keyword).addKeyword(MULTIPLE_OF);
  meter?.addTo(ajv);
  const validate = ajv.compile(withoutKeywords(schema, '$schema', '$id'));
  return { check: (value) => errorsOf(validate, value) };
}

function errorsOf(validate: ValidateFunction, value: unknown): ErrorObject[] {
  const fits = validate(value);
  const errors = fits ? [] : (validate.errors ?? []);
  // Errors can be many, and the function would hold them until its next call.
  validate.errors = null;
  return errors;
}
