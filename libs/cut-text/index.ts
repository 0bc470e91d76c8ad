export { BYTES, CHARACTERS, cutText, endOfText, type TextUnit, UTF16_UNITS } from './cut-text.js';
