import type { Secret, SecretPage } from '@gatehouse/client/operations';
import { secretsListInfiniteOptions } from '@gatehouse/client/react-query';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

import { usePages } from '../../../kit/use-pages.js';

export type SecretRow = Secret & { id: string };

interface Rows {
  items: SecretRow[];
  nextCursor: string | null;
}

/** The secrets of the workspace, each with its name as the key of its row. */
export function useSecrets(): UseInfiniteQueryResult<InfiniteData<Rows>, unknown> {
  const query = usePages(secretsListInfiniteOptions({ query: { limit: 50 } }));
  const data = query.data && { ...query.data, pages: query.data.pages.map(withIds) };
  return { ...query, data } as UseInfiniteQueryResult<InfiniteData<Rows>, unknown>;
}

function withIds({ items, nextCursor }: SecretPage): Rows {
  return { nextCursor, items: items.map((secret) => ({ ...secret, id: secret.name })) };
}
