export { checkCommandNames } from './check-command-names.js';
export { deriveInputSchema } from './derive-input-schema.js';
export { detectCommand, type Folder, MAX_COMMAND_LENGTH, refuseWithoutCommand } from './detect-command.js';
export { nonEmptyObject, parsePackageJson } from './package-json.js';
export { parseCommand } from './parse-command.js';
export { renderCommand } from './render-command.js';
