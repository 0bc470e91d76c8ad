export { PackagesModule } from './packages.module.js';
