export { type BuildRecipe, planBuild } from './build-recipe.js';
export { BuildsModule } from './builds.module.js';
export { BuildsService, type Installed } from './builds.service.js';
export { passedOver } from './passed-over.js';
export { linkTree } from './layer/link-tree.js';
export { unpackTree } from './layer/unpack-tree.js';
export { RegistryReader } from './registries/registries.js';
export { BuildWorkerModule } from './worker/build-worker.module.js';
