import type { Alert } from '@gatehouse/client/operations';
import { alertsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';

import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { notifyDone } from '../../../kit/notify.js';
import { Page } from '../../../kit/page.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { AlertActions } from './alert-actions.js';
import { AlertForm } from './alert-form.js';
import { conditionLines, destinationText } from './alert-words.js';

export function AlertsPage() {
  const [opened, dialog] = useDisclosure();
  const query = usePages(alertsListInfiniteOptions({ query: { limit: 50 } }));
  const refresh = useRefresh();
  const columns = useMemo(
    (): Column<Alert>[] => [
      {
        id: 'name',
        header: 'Rule',
        cell: ({ name, enabled, script, schedule }) => (
          <>
            <Group gap="xs">
              <Text size="sm" fw={600} className="user-text">
                {name}
              </Text>
              {!enabled && (
                <Badge variant="default" tt="none" fw={500}>
                  off
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed" className="user-text">
              {schedule ? `A schedule of ${script ?? 'a script'}` : (script ?? 'All scripts')}
            </Text>
          </>
        ),
      },
      {
        id: 'on',
        header: 'Tells of',
        cell: (alert) => conditionLines(alert).map((line) => <div key={line}>{line}</div>),
      },
      {
        id: 'to',
        header: 'Where',
        cell: (alert) => <span className="user-text">{destinationText(alert)}</span>,
      },
      { id: 'actions', header: 'Actions', align: 'right', cell: (alert) => <AlertActions alert={alert} /> },
    ],
    [],
  );
  return (
    <Page
      title="Alerts"
      description="Who is told of what goes wrong: runs that fail, take long or do not happen."
      actions={<Button onClick={dialog.open}>New rule</Button>}
    >
      <Listing
        label="Alert rules"
        query={query}
        columns={columns}
        empty={<Empty title="No alert rule yet" />}
      />
      <FormDialog title="New alert rule" size="lg" opened={opened} onClose={dialog.close}>
        <AlertForm
          onSaved={() => {
            notifyDone('The rule is made. Send a test by it.');
            void refresh('alertsList');
          }}
          onClose={dialog.close}
        />
      </FormDialog>
    </Page>
  );
}
