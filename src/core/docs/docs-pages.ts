import { Injectable } from '@nestjs/common';

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

/**
 * The pages below `/docs`. A module adds its own when it is initialised.
 *
 * @example
 * docsPages.register({ slug: 'audit', title: 'Audit actions', introduction: '…', entries });
 */
@Injectable()
export class DocsPages {
  private readonly pages = new Map<string, DocsPage>();

  register(page: DocsPage): void {
    this.pages.set(page.slug, page);
  }

  find(slug: string): DocsPage | null {
    return this.pages.get(slug) ?? null;
  }

  all(): DocsPage[] {
    return [...this.pages.values()];
  }
}
