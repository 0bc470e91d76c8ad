/**
 * A real Gatehouse for the tests of an extension: `@gatehouse/testing`.
 *
 * @packageDocumentation
 */
export { archiveOf } from '../archive.js';
export { type Answer, type Client, type ClientOptions, createClient, type Json } from '../client.js';
export type { ServiceDatabase } from '../service-database.js';
export type { TestPerson, TestRole, TestWorkspace } from '../seed.js';
export type { BlobStoreCheck } from '../../../src/core/storage/blob-store-checks.js';
export { type BlobStorageChecksOptions, blobStorageChecks } from './blob-storage-checks.js';
export type { ProviderOverrides, Replacement } from './provider-overrides.js';
export { type HttpsServer, startHttpsServer } from './https-server.js';
export { type Delivery, Receiver } from './receiver.js';
export { type InProcessOptions, startGatehouse } from './start-gatehouse.js';
export { TestClock } from './test-clock.js';
export { type TestApi, TestGatehouse, type ToldEvent } from './test-gatehouse.js';
