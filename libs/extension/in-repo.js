// In this repository, the program as it was built last.
export * from '../../dist/src/extension/index.js';
