import type { InfiniteData, QueryKey, UseInfiniteQueryOptions } from '@tanstack/react-query';
import { useInfiniteQuery } from '@tanstack/react-query';

type ListQuery<Page, Failure, Key extends QueryKey, Param> = Pick<
  UseInfiniteQueryOptions<Page, Failure, InfiniteData<Page>, Key, Param>,
  'queryKey' | 'queryFn' | 'enabled' | 'placeholderData'
>;

/** A list of the service, page after page: takes what the client's `…InfiniteOptions()` give. */
export function usePages<Page extends { nextCursor: string | null }, Failure, Key extends QueryKey, Param>(
  options: ListQuery<Page, Failure, Key, Param>,
) {
  return useInfiniteQuery<Page, Failure, InfiniteData<Page>, Key, Param>(pagesOf(options));
}

/** How a list goes on, for those who read ahead as well. */
export function pagesOf<Page extends { nextCursor: string | null }, Failure, Key extends QueryKey, Param>(
  options: ListQuery<Page, Failure, Key, Param>,
) {
  return {
    ...options,
    // The first page is asked for without a cursor.
    initialPageParam: {} as Param,
    getNextPageParam: (page: Page) => (page.nextCursor as Param | null) ?? undefined,
  };
}
