import { Injectable } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { DocsPages } from './docs-pages.js';
import type { Frame } from './render-page.js';

/** What surrounds every page: where the service is reached, and which pages there are. */
@Injectable()
export class DocsLayout {
  private readonly base: string;

  constructor(
    private readonly pages: DocsPages,
    settings: Settings,
  ) {
    this.base = new URL(settings.baseUrl).pathname.replace(/\/+$/, '');
  }

  current(): Frame {
    return { base: this.base, pages: this.pages.all() };
  }
}
