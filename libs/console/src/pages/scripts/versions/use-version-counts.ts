import type { RunVersionCounts } from '@gatehouse/client/operations';
import { runStatisticsReadOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

/** How the runs of each version went in the last 30 days; null: there were none. Left out until that is known. */
export function useVersionCounts(script: string): ((version: number) => RunVersionCounts | null) | undefined {
  const { data } = useQuery(runStatisticsReadOptions({ query: { by: 'day', script } }));
  return useMemo(() => {
    if (!data) return undefined;
    const counts = new Map(data.versions.map((one) => [one.version, one]));
    return (version) => counts.get(version) ?? null;
  }, [data]);
}
