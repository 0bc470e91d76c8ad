export { changedFields, patched } from './changes.js';
export { parseExactly, stringifyExactly } from './exact-json.js';
export { isObject } from './is-object.js';
export { placeInJson } from './place-in-json.js';
export { RawJson, stringifyJson, textOf } from './raw-json.js';
export { scanJson } from './scan-json.js';
