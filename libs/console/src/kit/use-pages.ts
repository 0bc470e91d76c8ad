import type { InfiniteData, QueryKey, UseInfiniteQueryOptions } from '@tanstack/react-query';
import { useInfiniteQuery } from '@tanstack/react-query';

/** A list of the service, page after page: takes what the client's `…InfiniteOptions()` give. */
export function usePages<Page extends { nextCursor: string | null }, Failure, Key extends QueryKey, Param>(
  options: Pick<
    UseInfiniteQueryOptions<Page, Failure, InfiniteData<Page>, Key, Param>,
    'queryKey' | 'queryFn' | 'enabled' | 'placeholderData'
  >,
) {
  return useInfiniteQuery<Page, Failure, InfiniteData<Page>, Key, Param>({
    ...options,
    // The first page is asked for without a cursor.
    initialPageParam: {} as Param,
    getNextPageParam: (page) => (page.nextCursor as Param | null) ?? undefined,
  });
}
