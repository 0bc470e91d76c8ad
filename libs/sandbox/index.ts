export * from './box.js';
export { HeldDirectory } from './held-directory.js';
export type { OutputFile } from './outputs.js';
export type { Runtimes } from './runtimes.js';
export { Sandbox } from './sandbox.js';
export type { LimitsMode, SandboxOptions } from './sandbox.js';
export { removeTree } from './tree-removal.js';
