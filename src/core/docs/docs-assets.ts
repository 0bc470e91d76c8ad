import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { FixedResponse } from '../http/index.js';

const MAX_AGE_SECONDS = 3600;

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The files that the pages need, and nothing else of the package they come from. */
const OWN = ['docs.css', 'api.js'];
const OF_SWAGGER_UI = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Files are read when they are requested: they are large, and seldom needed. */
@Injectable()
export class DocsAssets {
  private readonly resolve = createRequire(import.meta.url).resolve;

  async find(name: string): Promise<FixedResponse | null> {
    const path = this.pathOf(name);
    if (path === null) return null;
    return new FixedResponse(await readFile(path), TYPES[name.split('.').at(-1)!]!, MAX_AGE_SECONDS);
  }

  private pathOf(name: string): string | null {
    if (OWN.includes(name)) return join(import.meta.dirname, 'assets', name);
    return OF_SWAGGER_UI.includes(name) ? this.resolve(`swagger-ui-dist/${name}`) : null;
  }
}
