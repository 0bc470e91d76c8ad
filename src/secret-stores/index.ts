export { SecretStoresModule } from './secret-stores.module.js';
