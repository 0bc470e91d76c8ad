export { PipelineModule } from './pipeline.module.js';
export { problemOf } from './problem-of.js';
