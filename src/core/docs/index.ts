export { DocsPages } from './docs-pages.js';
export { DocsModule } from './docs.module.js';
