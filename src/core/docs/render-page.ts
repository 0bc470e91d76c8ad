import type { DocsPage, Frame } from './docs-pages.js';
import { Html, html, prose } from './html.js';

/** A page of terms: readable without scripts, and on its own when it is saved. */
export function renderPage(page: DocsPage, frame: Frame): string {
  const entries = page.entries.map(
    ({ term, note, title, text }) =>
      html` <section id="${term}">
        <h2>
          <a href="#${term}"><code>${term}</code></a> <small>${note ?? ''}</small>
        </h2>
        ${title === undefined ? '' : html`<p><strong>${prose(title)}.</strong></p>`}
        <p>${prose(text)}</p>
      </section>`,
  );
  const body = html`<main class="page">
    <h1>${page.title}</h1>
    <p>${prose(page.introduction)}</p>
    <ul class="terms">
      ${page.entries.map(({ term }) => html`<li><a href="#${term}">${term}</a></li>`)}
    </ul>
    ${entries}
  </main>`;
  return renderDocument(page.title, body, html``, frame);
}

/** The interface, drawn from its OpenAPI document by a script of our own origin. */
export function renderApiPage(frame: Frame): string {
  const head = html`<link rel="stylesheet" href="${frame.base}/docs/assets/swagger-ui.css" />
    <link rel="service-desc" type="application/json" href="${frame.base}/v1/openapi.json" />
    <script src="${frame.base}/docs/assets/swagger-ui-bundle.js" defer></script>
    <script src="${frame.base}/docs/assets/api.js" defer></script>`;
  const body = html`<div id="api"></div>
    <noscript>
      <p>This page is drawn by a script. What it shows is in the OpenAPI document.</p>
    </noscript>`;
  return renderDocument('API', body, head, frame);
}

/** A whole document with what surrounds every page. */
export function renderDocument(title: string, body: Html, head: Html, { base, pages }: Frame): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Gatehouse</title>
        <link rel="stylesheet" href="${base}/docs/assets/docs.css" />
        ${head}
      </head>
      <body>
        <header>
          <nav aria-label="Documentation">
            <strong>Gatehouse</strong>
            <a href="${base}/docs/guide">Guide</a>
            <a href="${base}/docs">API</a>
            ${pages.map((page) => html` <a href="${base}/docs/${page.slug}">${page.title}</a>`)}
            <a href="${base}/v1/openapi.json">OpenAPI document</a>
          </nav>
        </header>
        ${body}
      </body>
    </html> `.text;
}
