export { HostAuthoritiesModule } from './host-authorities.module.js';
export { HostAuthoritiesReader } from './host-authorities.reader.js';
