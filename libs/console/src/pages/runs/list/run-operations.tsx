import { type RunOperation, runOperationsCancel } from '@gatehouse/client/operations';
import { runOperationsGetOptions, runOperationsListOptions } from '@gatehouse/client/react-query';
import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';

import { counted } from '../../../kit/counted.js';
import { LOCALE } from '../../../kit/locale.js';
import { notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';

const LOOK_EVERY_MS = 1_000;
/** As many as go on at once, and some that have just ended. */
const LATEST = 5;
const MOST_NAMED = 10;

interface RunOperationsProps {
  /** Those that were begun here: their end is told. */
  begun: readonly string[];
  onClose: (id: string) => void;
}

/** How far those operations are that go on in the workspace, whoever asked for them, and how those ended that began here. */
export function RunOperations({ begun, onClose }: RunOperationsProps) {
  const { data } = useQuery({
    ...runOperationsListOptions({ query: { limit: LATEST } }),
    refetchInterval: ({ state }) => state.data?.items.some(isRunning) === true && LOOK_EVERY_MS,
  });
  const going = data?.items.filter((each) => isRunning(each) && !begun.includes(each.id)) ?? [];
  return (
    <>
      {going.map((each) => (
        <Going key={each.id} operation={each} />
      ))}
      {begun.map((id) => (
        <Begun key={id} id={id} onClose={() => onClose(id)} />
      ))}
    </>
  );
}

function Begun({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery({
    ...runOperationsGetOptions({ path: { operationId: id } }),
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data)) && LOOK_EVERY_MS,
  });
  if (!data) return null;
  return isRunning(data) ? <Going operation={data} /> : <Ended operation={data} onClose={onClose} />;
}

function Going({ operation }: { operation: RunOperation }) {
  const { id, kind, matched, done, skipped, failed, waitsBecause } = operation;
  const refresh = useRefresh();
  const ending = useMutation({
    mutationFn: () => runOperationsCancel({ path: { operationId: id } }),
    onSettled: () => refresh('runOperationsList', 'runOperationsGet', 'runsList'),
    onError: notifyProblem,
  });
  const dealtWith = done + skipped + failed;
  return (
    <Stack gap={4} role="group" aria-label={kind === 'cancel' ? 'Cancelling runs' : 'Running again'}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {kind === 'cancel' ? 'Cancelling' : 'Running again'}: {dealtWith.toLocaleString(LOCALE)} of{' '}
          {counted(matched, 'run')}
        </Text>
        <Button size="xs" variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
          Stop
        </Button>
      </Group>
      <Progress value={(100 * dealtWith) / Math.max(matched, 1)} aria-label="Progress" />
      {waitsBecause !== null && (
        <Text size="sm" c="dimmed">
          {waitsBecause}
        </Text>
      )}
    </Stack>
  );
}

function Ended({ operation, onClose }: { operation: RunOperation; onClose: () => void }) {
  const { kind, status, matched, done, skipped, failed, error, leftOut = [] } = operation;
  const isWhole = status === 'completed' && failed === 0;
  const others = skipped + failed - Math.min(leftOut.length, MOST_NAMED);
  return (
    <Alert
      color={isWhole ? 'teal' : 'red'}
      variant="light"
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      <Text size="sm">
        {counted(done, 'run')} of {matched.toLocaleString(LOCALE)}{' '}
        {kind === 'cancel' ? 'cancelled' : 'started again'}
        {status === 'cancelled' && ', then stopped'}
        {skipped > 0 && `, ${skipped.toLocaleString(LOCALE)} skipped`}
        {failed > 0 && `, ${failed.toLocaleString(LOCALE)} failed`}.
      </Text>
      {error !== null && (
        <Text size="sm" className="user-text">
          {error}
        </Text>
      )}
      {leftOut.length > 0 && (
        <List size="sm">
          {leftOut.slice(0, MOST_NAMED).map(({ runId, reason }) => (
            <List.Item key={runId} className="user-text">
              {runId}: {reason}
            </List.Item>
          ))}
          {others > 0 && <List.Item>and {counted(others, 'other')}</List.Item>}
        </List>
      )}
    </Alert>
  );
}

const isRunning = ({ status }: Pick<RunOperation, 'status'>): boolean => status === 'running';
