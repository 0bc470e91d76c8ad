import { scopesListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { USED_SCOPES } from './scope-words.js';

/** Every scope there is; Gatehouse's own until those of extensions are known. */
export function useScopes(): readonly string[] {
  const { data } = useQuery({ ...scopesListOptions(), staleTime: Infinity });
  return data?.items ?? USED_SCOPES;
}
