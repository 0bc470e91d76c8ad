import { scriptsListOptions } from '@gatehouse/client/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';

import { slugProblem } from './slug.js';

/** Asked for while one types, so that a name that is taken shows before the first version is made. */
export function useIsSlugTaken(slug: string, wanted: boolean): boolean {
  const [settled] = useDebouncedValue(slug, 400);
  const { data } = useQuery({
    ...scriptsListOptions({ query: { q: settled, limit: 100 } }),
    enabled: wanted && slugProblem(settled) === null,
    retry: false,
  });
  return wanted && settled === slug && (data?.items.some((script) => script.slug === slug) ?? false);
}
