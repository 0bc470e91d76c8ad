export { DocsLayout } from './docs-layout.js';
export { Page, pageOf } from './docs-page.decorator.js';
export { DocsPages } from './docs-pages.js';
export { DocsModule } from './docs.module.js';
export { html } from './html.js';
export { type Frame, renderDocument } from './render-page.js';
