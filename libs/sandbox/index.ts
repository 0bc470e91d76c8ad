export * from './box.js';
export { HeldDirectory } from './held-directory.js';
export { planRuntimes } from './runtimes.js';
export { Sandbox } from './sandbox.js';
export type { TemplateState } from './templates.js';
export { softLimit } from './user-limits.js';
export { removeTree } from './tree-removal.js';
