import type { Run } from '@gatehouse/client/operations';
import { runsListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { runOptions } from '../../../kit/run-options.js';

/** Tests among them are passed over, and the other way around. */
const LOOKED_AT = 10;

/** The run of the script that succeeded last before one that failed; null where there is none, undefined until that is known. */
export function useLastSuccess(run: Run | null): Run | null | undefined {
  const earlier = useQuery({
    ...runsListOptions({
      query: {
        ...(run && { script: run.script.slug, environment: run.environment, until: run.startedAt }),
        status: 'succeeded',
        plan: 'false',
        limit: LOOKED_AT,
      },
    }),
    enabled: run !== null,
    // What lies before a run that has ended stays as it is.
    staleTime: Infinity,
  });
  const found = earlier.data?.items.find(({ test }) => test === run?.test);
  const { data } = useQuery({ ...runOptions(found?.id ?? ''), enabled: found !== undefined });
  if (earlier.data && !found) return null;
  return data;
}
