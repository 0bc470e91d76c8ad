export { EnvironmentDeletionHooks } from './environment-deletion-hooks.js';
export { Environment } from './environment.entity.js';
export { EnvironmentsModule } from './environments.module.js';
export type { HeldEnvironment } from './environments.repository.js';
export { EnvironmentsService } from './environments.service.js';
