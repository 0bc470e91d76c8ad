import { secretsListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

/** Names to choose from; none where this person may not list them. */
export function useSecretNames(): string[] {
  const { data } = useQuery({ ...secretsListOptions({ query: { limit: 100 } }), retry: false });
  return data?.items.map(({ name }) => name) ?? [];
}
