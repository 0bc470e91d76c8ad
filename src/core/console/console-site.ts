import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative } from 'node:path';

import type { NextFunction, Request, Response } from 'express';

import { escapeHtml } from '../docs/index.js';
import { FILE_HEADERS, PAGE_HEADERS, contentPolicy } from './console-policy.js';

/** What draws a page of the console: the app, or the form to sign in, which weighs half as much. */
const PAGES = { app: 'index.html', signIn: 'sign-in.html' } as const;
const YEAR_MS = 365 * 86_400_000;
/** What the build has left in the page to be filled in. */
const BASE = '__BASE_PATH__';
const NONCE = '__CSP_NONCE__';
/** Written beside each file by the build, the better one first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;

export type ConsolePage = keyof typeof PAGES;

/** The built console: files, and the two pages that draw all others. */
export class ConsoleSite {
  private constructor(
    private readonly directory: string,
    private readonly files: ReadonlySet<string>,
    private readonly pages: Record<ConsolePage, string>,
  ) {}

  /** @param basePath the path under which the service is reached, without a slash at its end. null: it is not built */
  static in(directory: string, basePath: string): ConsoleSite | null {
    const names: string[] = Object.values(PAGES);
    if (!names.every((name) => existsSync(join(directory, name)))) return null;
    const files = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
      .filter((path) => !names.includes(path) && !path.split('/').some((step) => step.startsWith('.')));
    const read = (page: ConsolePage): string =>
      readFileSync(join(directory, PAGES[page]), 'utf8').replaceAll(BASE, escapeHtml(basePath));
    return new ConsoleSite(directory, new Set(files), { app: read('app'), signIn: read('signIn') });
  }

  sendPage(page: ConsolePage, response: Response): void {
    const nonce = randomBytes(18).toString('base64');
    response.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
    response.setHeader('content-security-policy', contentPolicy(nonce));
    sendHtml(response, 200, this.pages[page].replaceAll(NONCE, nonce));
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** A file, compressed as the client takes it. Those with a hash in their name never change. */
  sendFile(path: string, request: Request, response: Response, next: NextFunction): void {
    const offered = Object.entries(ENCODINGS).filter(([, ending]) => this.files.has(path + ending));
    const encoding = request.acceptsEncodings(...offered.map(([name]) => name), 'identity');
    const chosen = offered.find(([name]) => name === encoding);
    const hashed = path.startsWith('assets/');
    const headers: Record<string, string> = {
      ...FILE_HEADERS,
      ...(offered.length > 0 && { vary: 'Accept-Encoding' }),
      ...(chosen && { 'content-encoding': chosen[0] }),
      'cache-control': hashed ? `public, max-age=${YEAR_MS / 1000}, immutable` : 'no-cache',
    };
    response.type(extname(path)).setHeaders(new Map(Object.entries(headers)));
    const options = { root: this.directory, cacheControl: false, acceptRanges: false };
    response.sendFile(path + (chosen?.[1] ?? ''), options, (error) => {
      if (!error || response.headersSent) return;
      // It has gone since the start: a build replaces all files.
      for (const name of [...Object.keys(headers), 'content-type']) response.removeHeader(name);
      response.setHeader('cache-control', 'no-store');
      next();
    });
  }
}

/** The page where there is no console, which looks again by itself. */
export function sendUnbuilt(response: Response): void {
  response.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('refresh', '3').setHeader('retry-after', '3');
  sendHtml(response, 503, UNBUILT);
}

function sendHtml(response: Response, status: number, html: string): void {
  response.status(status).setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(html));
  response.end(response.req.method === 'HEAD' ? undefined : html);
}

const UNBUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Gatehouse</title></head>
  <body>
    <h1>The console is not built yet</h1>
    <p>A first start builds it within a minute or two, and this page shows it then. Where that has failed, the terminal says why; and <code>npm run build</code> tries again. Everything else works: see <code>/docs</code>.</p>
  </body>
</html>
`;
