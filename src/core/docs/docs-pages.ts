import { Injectable } from '@nestjs/common';

import { Settings } from '../config/index.js';

/** A page that explains terms one by one, each under an anchor of its own. Texts may mark code by `backticks`. */
export interface DocsPage {
  /** The page's address is `/docs/<slug>`. */
  slug: string;
  title: string;
  introduction: string;
  entries: DocsEntry[];
}

interface DocsEntry {
  /** The term itself, and the anchor: `/docs/<slug>#<term>`. */
  term: string;
  /** A word beside it, such as a status. */
  note?: string;
  title?: string;
  text: string;
}

/** What surrounds every page. */
export interface Frame {
  /** The path under which the service is reached, without a slash at its end: mostly empty. */
  base: string;
  pages: Pick<DocsPage, 'slug' | 'title'>[];
}

/**
 * The pages below `/docs`. A module adds its own when it is initialised.
 *
 * @example
 * docsPages.register({ slug: 'audit', title: 'Audit actions', introduction: '…', entries });
 */
@Injectable()
export class DocsPages {
  private readonly pages = new Map<string, DocsPage>();
  private readonly base: string;

  constructor({ baseUrl }: Settings) {
    this.base = new URL(baseUrl).pathname.replace(/\/+$/, '');
  }

  register(page: DocsPage): void {
    this.pages.set(page.slug, page);
  }

  find(slug: string): DocsPage | null {
    return this.pages.get(slug) ?? null;
  }

  frame(): Frame {
    return { base: this.base, pages: [...this.pages.values()] };
  }
}
