import { type Member, membersList } from '@gatehouse/client/operations';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';

import { useUser } from '../api/session.js';

const PAGES = 10;

export const everybodyQuery = () =>
  queryOptions({
    // Made stale by the same events as the list of members.
    queryKey: [{ _id: 'membersList', everybody: true }],
    queryFn: everybody,
    staleTime: Infinity,
  });

const NOBODY: Member[] = [];

/** Everybody of the workspace, to choose from; for those who may read that. */
export function useMembers(enabled = true): Member[] {
  const { data } = useQuery({ ...everybodyQuery(), enabled });
  return data ?? NOBODY;
}

/** What people are called, where one may read that: `Ben Okafor`, and `You` for oneself. */
export function usePeople(enabled = true): (userId: string | null) => string | null {
  const user = useUser();
  const members = useMembers(enabled);
  return useCallback(
    (userId) => {
      if (userId === user.id) return 'You';
      return members.find((member) => member.userId === userId)?.name ?? null;
    },
    [members, user.id],
  );
}

async function everybody(): Promise<Member[]> {
  const found: Member[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const { data } = await membersList({ query: { limit: 100, ...(cursor !== undefined && { cursor }) } });
    found.push(...data.items);
    if (data.nextCursor === null) break;
    cursor = data.nextCursor;
  }
  return found;
}
