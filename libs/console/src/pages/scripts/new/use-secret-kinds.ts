import type { Secret } from '@gatehouse/client/operations';
import { secretsListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

/** Secrets to choose from, by name; none where this person may not list them. */
export function useSecretKinds(): ReadonlyMap<string, Secret['kind']> {
  const { data } = useQuery({ ...secretsListOptions({ query: { limit: 100 } }), retry: false });
  return new Map(data?.items.map(({ name, kind }) => [name, kind]));
}
