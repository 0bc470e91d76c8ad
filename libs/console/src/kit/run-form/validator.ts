import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import {
  ErrorSchemaBuilder,
  type ErrorTransformer,
  type RJSFSchema,
  type RJSFValidationError,
  type UiSchema,
  type ValidationData,
  type ValidatorType,
  withIdRefPrefix,
} from '@rjsf/utils';

import { type FoundProblem, foundProblems } from './found-problems.js';

/** What the form puts before the references of a part of a schema. */
const ROOT_NAME = '__rjsf_rootSchema';

/**
 * Checks inputs by reading the schema, where the form's usual validator would compile it to code: the page's policy lets
 * no text become code. The service checks again and has the last word.
 */
class InterpretingValidator implements ValidatorType {
  private readonly whole = new WeakMap<RJSFSchema, Validator>();

  validateFormData(
    formData: unknown,
    schema: RJSFSchema,
    _customValidate?: unknown,
    transformErrors?: ErrorTransformer,
    uiSchema?: UiSchema,
  ): ValidationData<unknown> {
    const found = this.problems(formData, schema).map(asFormError);
    const errors = transformErrors ? transformErrors(found, uiSchema) : found;
    const builder = new ErrorSchemaBuilder<unknown>();
    for (const { message, params } of errors) builder.addErrors(message ?? '', params.path as string[]);
    return { errors, errorSchema: builder.ErrorSchema };
  }

  isValid(schema: RJSFSchema, formData: unknown, rootSchema: RJSFSchema): boolean {
    try {
      const validator = validatorOf(withIdRefPrefix(schema) as RJSFSchema);
      validator.addSchema(structuredClone(rootSchema) as Schema, ROOT_NAME);
      return validator.validate(withoutUndefined(formData)).valid;
    } catch {
      return false;
    }
  }

  rawValidation<Result = OutputUnit>(schema: RJSFSchema, formData?: unknown): { errors?: Result[] } {
    return { errors: this.errorsOf(formData, schema) as Result[] };
  }

  private problems(formData: unknown, schema: RJSFSchema): FoundProblem[] {
    return foundProblems(this.errorsOf(formData, schema), schema);
  }

  private errorsOf(formData: unknown, schema: RJSFSchema): OutputUnit[] {
    const validator = this.whole.get(schema) ?? validatorOf(schema);
    this.whole.set(schema, validator);
    return validator.validate(withoutUndefined(formData ?? {})).errors;
  }
}

export const interpretingValidator: ValidatorType = new InterpretingValidator();

function asFormError({ path, message, keyword }: FoundProblem): RJSFValidationError {
  return {
    name: keyword,
    message,
    property: `.${path.join('.')}`,
    params: { path },
    stack: `${path.join('.')} ${message}`,
  };
}

/** It writes into the schema that it is given, so it gets one of its own. */
function validatorOf(schema: RJSFSchema): Validator {
  return new Validator(structuredClone(schema) as Schema, '2020-12', false);
}

function withoutUndefined(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
