export { changedFields, patched } from './changes.js';
export { parseExactly, scanJson, stringifyExactly } from '../../../libs/exact-json/index.js';
export { isObject } from './is-object.js';
export { parseForStringify, parseWithDigits } from './parse-numbers.js';
export { placeInJson } from './place-in-json.js';
export { RawJson, stringifyJson, textOf } from './raw-json.js';
