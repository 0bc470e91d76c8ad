import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';

import { isStale, pagesOfList } from '../api/invalidate-operations.js';
import type { ListOperation, Stale } from '../api/operations.js';
import { type Page, withFirstPage } from './with-first-page.js';

/** Each query that is read costs the next round so much: two requests a second, however many events there are. */
const PAUSE_MS = 500;
/** Where there is one event there are often several. */
const FIRST_PAUSE_MS = 100;
/** Counters take a second, and longer where they have much to count: it is looked again after the last event. */
const COUNTED_MS = 2_000;
const ALL_COUNTED_MS = [10_000, 30_000];
/** A request without a response by then holds up nothing else. */
const LONGEST_ROUND_MS = 5_000;

/**
 * Reads again what events have made stale, in rounds: names are collected while a round goes on and for a moment after it, no
 * request is cancelled for another, and nothing is read while nobody sees the page.
 */
export class StaleQueries {
  private stale = new Set<Stale>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isReading = false;
  private mayReadAt = 0;
  private readonly counted = new Set<Stale>();
  private soon: ReturnType<typeof setTimeout> | null = null;
  private late: ReturnType<typeof setTimeout>[] = [];

  /** @param signal ends it */
  constructor(
    private readonly queries: QueryClient,
    private readonly signal: AbortSignal,
  ) {
    document.addEventListener('visibilitychange', this.plan, { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(this.soon ?? undefined);
      this.late.forEach(clearTimeout);
    });
  }

  add(operations: Iterable<Stale>): void {
    for (const operation of operations) this.stale.add(operation);
    this.plan();
  }

  /** Of what is not counted yet: soon after the first event of many, and again some time after the last one. */
  addCounted(operations: readonly Stale[]): void {
    if (operations.length === 0) return;
    for (const operation of operations) this.counted.add(operation);
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.add(this.counted);
    }, COUNTED_MS);
    this.late.forEach(clearTimeout);
    this.late = ALL_COUNTED_MS.map((wait) => setTimeout(() => this.add(this.counted), wait));
  }

  private readonly plan = (): void => {
    if (document.hidden || this.isReading || this.timer !== null || this.stale.size === 0) return;
    const wait = Math.max(FIRST_PAUSE_MS, this.mayReadAt - performance.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.read();
    }, wait);
  };

  private async read(): Promise<void> {
    if (document.hidden || this.signal.aborted) return;
    const { queries } = this;
    const stale = this.stale;
    this.stale = new Set();
    const active = queries.getQueryCache().findAll({ type: 'active', predicate: isStale(stale) });
    // What began before the event may not know of it: it is let go on, and read again in the next round.
    const going = active.filter(({ state }) => state.fetchStatus !== 'idle');
    for (const query of going) this.stale.add(nameOf(query));
    const free = active.filter((query) => !going.includes(query));
    this.mayReadAt = performance.now() + PAUSE_MS * Math.max(1, free.length);
    this.isReading = true;
    await queries.invalidateQueries({ predicate: isStale(stale), refetchType: 'none' });
    const late = new Promise((done) => setTimeout(done, LONGEST_ROUND_MS));
    await Promise.race([Promise.allSettled(free.map((query) => this.readAgain(query))), late]);
    this.isReading = false;
    this.plan();
  }

  /** Of a list that was read on to further pages only the first, where what is new stands. */
  private async readAgain(query: Query): Promise<void> {
    const { queryKey, options, state } = query;
    const { queries, signal } = this;
    const pages = (state.data as Partial<InfiniteData<unknown>> | undefined)?.pages;
    if (pages === undefined || pages.length < 2) {
      return queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
    }
    const ask = options.queryFn as (context: object) => Promise<Page>;
    const first = await ask({ queryKey, pageParam: {}, signal, client: queries });
    // A further page that is on its way would put back what it began from.
    if (query.state.fetchStatus !== 'idle') this.stale.add(nameOf(query));
    queries.setQueryData<InfiniteData<Page>>(queryKey, (data) => data && withFirstPage(data, first));
  }
}

function nameOf({ queryKey }: Query): Stale {
  const { _id: name, _infinite: hasPages } = queryKey[0] as { _id: ListOperation; _infinite?: boolean };
  return hasPages ? pagesOfList(name) : name;
}
