export { type ServerEvent, readEvents } from './events/read-events.js';
export { client } from './generated/client.gen.js';
export { type Client, type Config, createClient } from './generated/client/index.js';
export * from './generated/index.js';
