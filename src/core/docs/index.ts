export { Page, pageOf } from './docs-page.decorator.js';
export { DocsPages, type Frame } from './docs-pages.js';
export { DocsModule } from './docs.module.js';
export { escapeHtml, html, prose } from './html.js';
export { renderDocument } from './render-page.js';
