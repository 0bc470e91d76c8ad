export interface Page<Item> {
  items: Item[];
  /** What the next page is asked for with; null on the last one. */
  nextCursor: string | null;
}

/** What the reading of a page takes of a list's query. */
export interface PageQuery {
  cursor?: string;
  limit?: number;
}

const MOST_OF_A_PAGE = 100;

/** A list: awaited it is one page, iterated it is every item, page by page as they are needed. */
export class Pages<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  private first: Promise<Page<Item>> | undefined;

  constructor(
    private readonly query: PageQuery,
    private readonly read: (query: PageQuery) => Promise<Page<Item>>,
  ) {}

  then<Done = Page<Item>, Failed = never>(
    done?: ((page: Page<Item>) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.first ??= this.read(this.query);
    return this.first.then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Page by page, from the query's cursor on; of 100 items unless the query says how many. */
  async *pages(): AsyncGenerator<Page<Item>, void, void> {
    let query: PageQuery = { limit: MOST_OF_A_PAGE, ...this.query };
    for (;;) {
      const page = await this.read(query);
      yield page;
      if (page.nextCursor === null) return;
      query = { ...query, cursor: page.nextCursor };
    }
  }

  /** Every item. Lists may be long: of those, take what is needed by iterating. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages()) items.push(...page.items);
    return items;
  }
}
