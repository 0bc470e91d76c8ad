export { LifecycleModule } from './lifecycle.module.js';
export { Lifecycle } from './lifecycle.js';
export { connectionFailure, ServerUnusable } from './server-unusable.js';
