export { PipelineModule } from './pipeline.module.js';
export { ProblemFilter } from './problem.filter.js';
export { problemOf } from './problem-of.js';
