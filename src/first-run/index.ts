export { FirstRunModule } from './first-run.module.js';
export { FirstRunService } from './first-run.service.js';
