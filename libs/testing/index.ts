export { archiveOf } from './archive.js';
export { type Answer, type Client, type ClientOptions, type Json, createClient } from './client.js';
export {
  type GatehouseOptions,
  type GatehouseProcess,
  firstRun,
  freePort,
  startGatehouse,
} from './gatehouse-process.js';
export { Seed, type TestPerson, type TestRole, type TestWorkspace } from './seed.js';
