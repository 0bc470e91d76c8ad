export { hasManyMarks, normalText } from './normal-text.js';
