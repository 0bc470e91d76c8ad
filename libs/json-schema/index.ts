export { checkSchema, type SchemaPath, schemaTooMuch } from './check-schema.js';
export { compiledSchema } from './compiled-schemas.js';
export { schemaErrorDetails } from './error-text.js';
export { FILE_FORMAT } from './formats.js';
export { InlineSchemas } from './inline-schemas.js';
export { declaredProperties, isSchemaObject, type JsonSchema } from './json-schema.js';
export { type FileField, fileFields, filledJson, fitInputs, inputsTooMuch } from './validate-inputs.js';
export { OUTPUT_TOO_MUCH, outputProblem } from './validate-output.js';
export { walkSchema } from './walk-schema.js';
