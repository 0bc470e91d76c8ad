// In this repository, the program as it was built last.
export * from '../../dist/libs/testing/in-process/index.js';
