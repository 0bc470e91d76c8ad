import { type WebhookEndpoint, endpointsEnable } from '@gatehouse/client/operations';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import IconPlugConnectedX from 'icon:plug-connected-x';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Moment } from '../../kit/moment.js';
import { notifyDone } from '../../kit/notify.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { Status } from '../../kit/status.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { LastStatus } from './last-status.js';

const DISABLED_AFTER = 20;

/** Whether deliveries go out, and how they went lately. */
export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, eventTypes, consecutiveFailures, lastStatus, lastAttemptAt, environment } = endpoint;
  return (
    <Stack gap="md">
      {!enabled && <Disabled endpoint={endpoint} />}
      <Group gap="xl" align="flex-start" component="dl" m={0}>
        <Fact label="Deliveries">
          <Status status={enabled ? 'enabled' : 'disabled'} />
        </Fact>
        <Fact label="Last attempt">
          {lastAttemptAt === null ? (
            'none yet'
          ) : (
            <>
              <LastStatus status={lastStatus} /> <Moment at={lastAttemptAt} />
            </>
          )}
        </Fact>
        <Fact label="Failed in a row">
          {consecutiveFailures === 0
            ? 'none'
            : `${consecutiveFailures}, deliveries stop at ${DISABLED_AFTER}`}
        </Fact>
        {environment !== null && <Fact label="Environment">{environment}</Fact>}
        <Fact label="Events">{eventTypes === null ? 'every event' : eventTypes.join(', ')}</Fact>
      </Group>
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div style={{ maxWidth: '32rem' }}>
      <Text size="xs" c="dimmed" component="dt">
        {label}
      </Text>
      <Text size="sm" component="dd" m={0} className="user-text">
        {children}
      </Text>
    </div>
  );
}

function Disabled({ endpoint: { id, consecutiveFailures } }: { endpoint: WebhookEndpoint }) {
  const refresh = useRefresh();
  const enabling = useMutation({
    mutationFn: () => endpointsEnable({ path: { endpointId: id } }),
    onSuccess: async () => {
      await refresh('endpointsList', 'endpointsGet', 'deliveriesList');
      notifyDone('Deliveries go out again. What was missed is sent if you recover it.');
    },
  });
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconPlugConnectedX aria-hidden />}
      title="Deliveries are stopped"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {consecutiveFailures >= DISABLED_AFTER
            ? `${consecutiveFailures} attempts in a row failed.`
            : 'The receiver said that it is gone (status 410).'}{' '}
          Mend the receiver, send a test, and then let deliveries go on.
        </Text>
        {enabling.isError && <ProblemNotice error={enabling.error} />}
        <Button size="compact-sm" loading={enabling.isPending} onClick={() => enabling.mutate()}>
          Let deliveries go on
        </Button>
      </Stack>
    </Alert>
  );
}
