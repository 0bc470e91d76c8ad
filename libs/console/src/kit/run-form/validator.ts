import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { type RJSFSchema, type ValidationData, type ValidatorType, withIdRefPrefix } from '@rjsf/utils';

import type { JsonSchema } from '../../../../json-schema/json-schema.js';
import { walkSchema } from '../../../../json-schema/walk-schema.js';

/** What the form puts before the references of a part of a schema. */
const ROOT_NAME = '__rjsf_rootSchema';

/** Keywords whose check may take long for a short schema. */
const COSTLY = ['pattern', 'patternProperties', 'format', 'uniqueItems'];

/**
 * Tells the form while it is drawn which alternative fits, by the shape alone. It reads the schema, where the form's usual
 * validator would compile it to code: the page's policy lets no text become code. What is wrong with inputs says
 * `checkInputs`, when they are sent.
 */
class ShapeValidator implements ValidatorType {
  private readonly roots = new WeakMap<RJSFSchema, Schema>();

  isValid(schema: RJSFSchema, formData: unknown, rootSchema: RJSFSchema): boolean {
    try {
      const root = this.roots.get(rootSchema) ?? shapeOf(rootSchema);
      this.roots.set(rootSchema, root);
      const validator = validatorOf(shapeOf(withIdRefPrefix(schema) as RJSFSchema));
      validator.addSchema(structuredClone(root), ROOT_NAME);
      return validator.validate(withoutUndefined(formData)).valid;
    } catch {
      return false;
    }
  }

  validateFormData(): ValidationData<unknown> {
    return { errors: [], errorSchema: {} };
  }

  rawValidation<Result = OutputUnit>(): { errors?: Result[] } {
    return {};
  }
}

export const shapeValidator: ValidatorType = new ShapeValidator();

/** It writes into the schema that it is given, so it gets one of its own. */
export function validatorOf(schema: RJSFSchema | Schema): Validator {
  const copy = structuredClone(schema) as Schema;
  // A word of OpenAPI's that the service's validator knows as well.
  for (const { schema: node } of walkSchema(copy as JsonSchema) as { schema: Schema }[]) {
    if (node['nullable'] === true && node.type !== undefined)
      node.type = [node.type, 'null'].flat() as Schema['type'];
  }
  return new Validator(copy, '2020-12', false);
}

export function withoutUndefined(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function shapeOf(schema: RJSFSchema): Schema {
  const copy = structuredClone(schema);
  for (const { schema: node } of walkSchema(copy as JsonSchema))
    for (const keyword of COSTLY) delete (node as Record<string, unknown>)[keyword];
  return copy as Schema;
}
