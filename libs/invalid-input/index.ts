export { type InputProblem, InvalidInput } from './invalid-input.js';
