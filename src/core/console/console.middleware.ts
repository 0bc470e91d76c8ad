import { join } from 'node:path';

import { Injectable, type NestMiddleware, type OnModuleInit } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

import { SessionCookie } from '../access/index.js';
import { Settings } from '../config/index.js';
import { Routes } from '../http/index.js';
import { type ConsolePage, ConsoleSite, sendUnbuilt } from './console-site.js';

/** From the sources, and from what they are compiled to. */
const PLACES = ['../../../libs/console/dist', '../../../../libs/console/dist'].map((place) =>
  join(import.meta.dirname, place),
);

/** The first steps of pages that most come by, and nobody sees without a session: the app would only lead to the form. */
const NEED_SESSION: ReadonlySet<string> = new Set(['', 'w', 'account', 'approvals']);

/**
 * Serves the console at every address that the interface leaves: its files, and to browsers that want a page one that
 * draws it, whatever the address. All else goes on to the routes and their 404.
 */
@Injectable()
export class ConsoleMiddleware implements NestMiddleware, OnModuleInit {
  private found: ConsoleSite | null = null;
  /** The first steps of the routes' paths, such as `v1`. */
  private taken: ReadonlySet<string> = new Set();

  constructor(
    private readonly routes: Routes,
    private readonly settings: Settings,
    private readonly cookie: SessionCookie,
  ) {}

  onModuleInit(): void {
    this.taken = new Set(this.routes.all().map(({ path }) => firstStep(path)));
  }

  /** Looked for until it is there: a first start builds it while the service runs. */
  private get site(): ConsoleSite | null {
    const base = new URL(this.settings.baseUrl).pathname.replace(/\/+$/, '');
    for (const place of PLACES) this.found ??= ConsoleSite.in(place, base);
    return this.found;
  }

  use(request: Request, response: Response, next: NextFunction): void {
    const { method } = request;
    const path = pathOf(request);
    const first = firstStep(path);
    const reads = method === 'GET' || method === 'HEAD';
    if (!reads || this.taken.has(first) || first.startsWith('.')) return next();
    const file = path.slice(1);
    const { site } = this;
    if (site?.has(file)) return site.sendFile(file, request, response, next);
    if (first === 'assets' || !wantsPage(path, request)) return next();
    if (site) site.sendPage(this.pageAt(path, request), response);
    else sendUnbuilt(response);
  }

  private pageAt(path: string, request: Request): ConsolePage {
    if (path === '/sign-in') return 'signIn';
    return NEED_SESSION.has(firstStep(path)) && this.cookie.read(request) === null ? 'signIn' : 'app';
  }
}

/** Whole: Express takes from `path` what a middleware's own path has matched. */
function pathOf({ originalUrl }: Request): string {
  return originalUrl.split('?', 1)[0]!;
}

function firstStep(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/** A browser names HTML; a program that takes anything is told that there is nothing, except at the root. */
function wantsPage(path: string, { headers }: Request): boolean {
  return path === '/' || (headers.accept ?? '').toLowerCase().includes('text/html');
}
