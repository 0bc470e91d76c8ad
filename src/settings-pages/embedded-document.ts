import { escapeHtml } from '../core/docs/index.js';
import type { EmbeddedPageProvider } from './settings-page.js';

/**
 * The page's way to the console: requests and their responses by messages, and how high it is. The console knows it by its
 * window, and the page takes responses only from the window that shows it.
 */
const BRIDGE = `
(() => {
  const waiting = new Map();
  let last = 0;
  const tell = (message) => parent.postMessage({ gatehouse: 1, ...message }, '*');
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data === null || typeof data !== 'object' || !waiting.has(data.id)) return;
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.refused === undefined) resolve({ status: data.status, body: data.body });
    else reject(new Error(data.refused));
  });
  const request = (method, path, body) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      tell({ type: 'request', id: last, method, path, body });
    });
  globalThis.gatehouse = Object.freeze({ request });
  addEventListener('DOMContentLoaded', () => {
    const measure = () => tell({ type: 'height', height: document.documentElement.offsetHeight });
    new ResizeObserver(measure).observe(document.documentElement);
  });
})();`;

/** As the console looks, without its fonts and colours: a page needs no style of its own to be readable. */
const STYLE = `
:root { color-scheme: light dark; font: 14px/1.55 system-ui, sans-serif; }
body { margin: 0; padding: 4px; }
button, input, select, textarea { font: inherit; }`;

/** The document whose body the provider gives. */
export function embeddedDocument({ title, html }: Pick<EmbeddedPageProvider, 'title' | 'html'>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<script>${BRIDGE}</script>
</head>
<body>
${html}
</body>
</html>
`;
}
