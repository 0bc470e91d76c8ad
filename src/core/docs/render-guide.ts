import { join } from 'node:path/posix';

import { Marked, type Tokens } from 'marked';

import type { Frame } from './docs-pages.js';
import { Html, html } from './html.js';
import { renderDocument } from './render-page.js';

export interface GuidePage {
  /** Markdown of our own; its first line is the title. */
  text: string;
  /** The files of the guide, which links may name. */
  names: readonly string[];
}

export function renderGuide({ text, names }: GuidePage, frame: Frame): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Guide';
  const body = html`<main class="page">
    ${new Html(markedFor(frame.base, names).parse(text) as string)}
  </main>`;
  return renderDocument(title, body, html``, frame);
}

/** What GitHub makes of a heading, so that links lead to the same place in both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function markedFor(base: string, names: readonly string[]): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = new Html(this.parser.parseInline(tokens));
        const address = addressOf(href, base, names);
        if (address === null) return html`${text} (<code>${pathOf(href)}</code>)`.text;
        return html`<a href="${address}">${text}</a>`.text;
      },
    },
  });
}

/** What is only in the source is named by its path, since the service does not have it. */
function pathOf(href: string): string {
  return join('docs/guide', href.split('#')[0]!);
}

function addressOf(href: string, base: string, names: readonly string[]): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  if (!names.includes(path)) return null;
  const page = path === 'README.md' ? '' : `/${path.replace(/\.md$/, '')}`;
  return `${base}/docs/guide${page}${anchor === undefined ? '' : `#${anchor}`}`;
}
