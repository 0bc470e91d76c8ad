import {
  type ErrorGroup,
  type MatchingRuns,
  type RunOperation,
  type RunsRerunInput,
  runOperationsRerunMany,
} from '@gatehouse/client/operations';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { confirmDestruction } from '../../kit/confirm.js';
import { counted } from '../../kit/counted.js';
import { LOCALE } from '../../kit/locale.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { useRefresh } from '../../kit/use-refresh.js';

const MOST = 10_000;

interface RunFailedAgainProps {
  error: ErrorGroup;
  since: string;
  onBegun: (operation: RunOperation) => void;
}

/** Starts again what has failed with an error lately, once somebody has seen how many runs that are. */
export function RunFailedAgain({ error: { id, title, script }, since, onBegun }: RunFailedAgainProps) {
  const refresh = useRefresh();
  const which: RunsRerunInput = { errorId: id, since, status: 'failed', limit: MOST };
  const beginning = useMutation({
    mutationFn: async () => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      const { data } = await runOperationsRerunMany({ body: which, headers, throwOnError: true });
      return data as RunOperation;
    },
    onSuccess: async (operation) => {
      onBegun(operation);
      await refresh('runOperationsList');
    },
    onError: notifyProblem,
  });
  const counting = useMutation({
    mutationFn: async () => {
      const { data } = await runOperationsRerunMany({ body: { ...which, dryRun: true }, throwOnError: true });
      return data as MatchingRuns;
    },
    onSuccess: ({ matched, more }) => {
      if (matched === 0) return notifyDone('No run that was asked for since yesterday has failed with it.');
      confirmDestruction({
        title: `Run ${counted(matched, 'run')} of ${script.slug} again?`,
        children: `Those that were asked for since yesterday and failed with “${title}”, each in its environment${
          more ? `: the newest ${MOST.toLocaleString(LOCALE)} of more` : ''
        }.`,
        confirm: 'Run them again',
        onConfirm: () => beginning.mutate(),
      });
    },
    onError: notifyProblem,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Run again what failed with: ${title}`}
      loading={counting.isPending || beginning.isPending}
      onClick={() => counting.mutate()}
    >
      Run again
    </Button>
  );
}
