import { type ErrorGroup, errorsIgnore, errorsReopen, errorsResolve } from '@gatehouse/client/operations';
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { notifyUndoable } from '../../kit/notify-undo.js';
import { useRefresh } from '../../kit/use-refresh.js';

const DAY_MS = 86_400_000;

const PERIODS: readonly [label: string, days: number | null][] = [
  ['For a day', 1],
  ['For a week', 7],
  ['For 30 days', 30],
  ['For good', null],
];

interface Act {
  done: string;
  /** What it was before it was put aside, which can be undone. The page may know of the change by then. */
  was?: ErrorGroup;
  carryOut: () => Promise<unknown>;
}

/** What can be said of an error. */
export function ErrorActions({ error }: { error: ErrorGroup }) {
  const { id, status } = error;
  const refresh = useRefresh();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ carryOut }: Act) => carryOut(),
    onSuccess: async (_, { done, was }) => {
      await refresh('errorsGet', 'errorsList');
      if (!was) return notifyDone(done);
      notifyUndoable(done, async () => {
        await putBack(was);
        await refresh('errorsGet', 'errorsList');
        return 'The error is what it was before.';
      });
    },
    onError: notifyProblem,
  });
  const path = { id };
  const ignore = (days: number | null): void => {
    const until = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    mutate({
      done: 'The error is ignored.',
      was: error,
      carryOut: () => errorsIgnore({ path, body: { until } }),
    });
  };
  return (
    <>
      {status !== 'open' && (
        <Button
          variant="default"
          loading={isPending}
          onClick={() => mutate({ done: 'The error is open again.', carryOut: () => errorsReopen({ path }) })}
        >
          Reopen
        </Button>
      )}
      {status !== 'ignored' && (
        <Menu>
          <Menu.Target>
            <Button variant="default">Ignore</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {PERIODS.map(([label, days]) => (
              <Menu.Item key={label} onClick={() => ignore(days)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {status !== 'resolved' && (
        <Button
          loading={isPending}
          onClick={() =>
            mutate({ done: 'The error is resolved.', was: error, carryOut: () => errorsResolve({ path }) })
          }
        >
          Resolve
        </Button>
      )}
    </>
  );
}

/** As it was when it was put aside. */
async function putBack({ id, status, ignoreUntil }: ErrorGroup): Promise<void> {
  const path = { id };
  if (status === 'resolved') await errorsResolve({ path });
  else if (status === 'ignored') await errorsIgnore({ path, body: { until: ignoreUntil } });
  else await errorsReopen({ path });
}
