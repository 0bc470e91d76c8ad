import {
  type MatchingRuns as Matching,
  type Run,
  type RunOperation,
  type RunsCancelInput,
  type RunsRerunInput,
  runOperationsCancelMany,
  runOperationsRerunMany,
} from '@gatehouse/client/operations';
import { Button, Group, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { confirmDestruction } from '../../../kit/confirm.js';
import { counted } from '../../../kit/counted.js';
import { LOCALE } from '../../../kit/locale.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { type RunListSearch, runListQuery, statusesOf } from './run-list-search.js';

const MOST = 10_000;

type Kind = RunOperation['kind'];

const STATUSES: Record<Kind, readonly Run['status'][]> = {
  cancel: ['awaiting_approval', 'running'],
  rerun: ['succeeded', 'failed', 'cancelled'],
};

const WORDS = {
  cancel: {
    button: 'Cancel all that match',
    question: (runs: string) => `Cancel ${runs}?`,
    which: 'Those that have not ended and match what is chosen above',
    confirm: 'Cancel them',
  },
  rerun: {
    button: 'Run all that match again',
    question: (runs: string) => `Run ${runs} again?`,
    which: 'Those that have ended and match what is chosen above, each in its environment',
    confirm: 'Run them again',
  },
} as const;

interface MatchingRunsProps {
  search: RunListSearch;
  onBegun: (operation: RunOperation) => void;
}

/** What can be done with all runs that match, also with those that the list has not read. */
export function MatchingRuns({ search, onBegun }: MatchingRunsProps) {
  const refresh = useRefresh();
  const beginning = useMutation({
    mutationFn: ({ kind, which }: { kind: Kind; which: Which }) => begin(kind, which),
    onSuccess: async (operation) => {
      onBegun(operation);
      await refresh('runOperationsList');
    },
    onError: notifyProblem,
  });
  const counting = useMutation({
    mutationFn: async (kind: Kind) => {
      // The hour or day that is meant is that of the question, not of the answer.
      const which = whichOf(search);
      return { kind, which, found: await count(kind, which) };
    },
    onSuccess: ({ kind, which, found }) => {
      if (found.matched === 0) return notifyDone('No run matches that this could be done with.');
      const { question, which: words, confirm } = WORDS[kind];
      confirmDestruction({
        title: question(counted(found.matched, 'run')),
        children: `${words}${found.more ? `: the newest ${MOST.toLocaleString(LOCALE)} of more` : ''}.`,
        confirm,
        onConfirm: () => beginning.mutate({ kind, which }),
      });
    },
    onError: notifyProblem,
  });
  return (
    <Group gap="xs" role="toolbar" aria-label="All runs that match">
      {(['cancel', 'rerun'] as const).map((kind) => (
        <Button
          key={kind}
          size="xs"
          variant="default"
          disabled={!statusesOf(search.status).every((status) => STATUSES[kind].includes(status))}
          // It keeps the focus, which a button that is loading would lose.
          leftSection={busyWith(kind) && <Loader size={14} />}
          aria-busy={busyWith(kind)}
          onClick={() => {
            if (!busyWith(kind)) counting.mutate(kind);
          }}
        >
          {WORDS[kind].button}
        </Button>
      ))}
    </Group>
  );

  function busyWith(kind: Kind): boolean {
    return (
      (counting.isPending && counting.variables === kind) ||
      (beginning.isPending && beginning.variables.kind === kind)
    );
  }
}

type Which = Omit<RunsCancelInput & RunsRerunInput, 'status'> & Pick<RunListSearch, 'status'>;

function whichOf(search: RunListSearch): Which {
  const query = runListQuery(search, Date.now());
  return { ...query, limit: MOST, ...(Object.keys(query).length === 0 && { all: true }) };
}

async function count(kind: Kind, which: Which): Promise<Matching> {
  return (await sent(kind, { ...which, dryRun: true }, {})) as Matching;
}

async function begin(kind: Kind, which: Which): Promise<RunOperation> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  return (await sent(kind, which, headers)) as RunOperation;
}

/** Which statuses there are for a kind is in `STATUSES`. */
async function sent(kind: Kind, body: Which, headers: Record<string, string>) {
  const { data } =
    kind === 'cancel'
      ? await runOperationsCancelMany({ body: body as RunsCancelInput, headers, throwOnError: true })
      : await runOperationsRerunMany({ body: body as RunsRerunInput, headers, throwOnError: true });
  return data;
}
