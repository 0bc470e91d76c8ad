import { parseExactly, stringifyExactly } from '../../../exact-json/index.js';

/** JSON of others, whose numbers are written again as they came. @throws SyntaxError where it is none */
export const parseJson = (text: string): unknown => parseExactly(text, { asWritten: true });

/** The JSON text of a value that may come of `parseJson`. */
export const stringifyJson = stringifyExactly;
