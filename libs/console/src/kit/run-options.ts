import { type Run, runsGet } from '@gatehouse/client/operations';
import { runsGetOptions } from '@gatehouse/client/react-query';
import { queryOptions } from '@tanstack/react-query';

import { parseAsWritten } from './run-output/written-number.js';

/** A run, with the numbers of its output as the script wrote them. */
export const runOptions = (runId: string) => {
  const path = { runId };
  return queryOptions({
    queryKey: runsGetOptions({ path }).queryKey,
    queryFn: async ({ signal }): Promise<Run> => {
      const { data } = await runsGet({ path, signal, parseAs: 'text', throwOnError: true });
      return parseAsWritten(data as unknown as string) as Run;
    },
  });
};
