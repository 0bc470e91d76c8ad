export { type CheckedInputs, ChecksBusy, type Patience, PATIENCE, SchemaChecks } from './schema-checks.js';
export { SchemaModule } from './schema.module.js';
