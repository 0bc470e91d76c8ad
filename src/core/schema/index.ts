export { type CheckedInputs, PATIENCE, SchemaChecks } from './schema-checks.js';
export { SchemaModule } from './schema.module.js';
