export { TriggersModule } from './triggers.module.js';
