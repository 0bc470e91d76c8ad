import { environmentsListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { usePlace } from '../../app/use-place.js';

/** The name of the environment that the page acts in; undefined until it is known. */
export function useEnvironmentName(): string | undefined {
  const { environment } = usePlace();
  const { data } = useQuery(environmentsListOptions({ query: { limit: 100 } }));
  if (environment !== DEFAULT_ENVIRONMENT) return environment;
  return data?.items.find(({ isDefault }) => isDefault)?.name;
}
