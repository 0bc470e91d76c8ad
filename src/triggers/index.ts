export { TriggersModule } from './triggers.module.js';
export { causeOf } from './firing/matches.js';
