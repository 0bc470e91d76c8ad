import { type Queue, queuesCreate } from '@gatehouse/client/operations';
import { queuesListInfiniteOptions } from '@gatehouse/client/react-query';
import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';

import { useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { notifyDone } from '../../../kit/notify.js';
import { Page } from '../../../kit/page.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { QueueActions } from './queue-actions.js';
import { QueueForm } from './queue-form.js';

const COUNTED_TO = 1000;
const countText = (count: number): string => (count >= COUNTED_TO ? '1,000 or more' : String(count));

export function QueuesPage() {
  const { administers } = useRights();
  const [opened, dialog] = useDisclosure();
  const query = usePages(queuesListInfiniteOptions({ query: { limit: 50 } }));
  const refresh = useRefresh();
  const columns = useMemo(
    (): Column<Queue>[] => [
      {
        id: 'name',
        header: 'Queue',
        cell: ({ name, paused }) => (
          <Group gap="xs">
            <Text size="sm" fw={600} className="user-text">
              {name}
            </Text>
            {paused && (
              <Badge variant="default" tt="none" fw={500}>
                paused
              </Badge>
            )}
          </Group>
        ),
      },
      { id: 'limit', header: 'At once', align: 'right', cell: ({ limit }) => limit ?? 'any number' },
      { id: 'going', header: 'Go on', align: 'right', cell: ({ going }) => countText(going) },
      { id: 'waiting', header: 'Wait', align: 'right', cell: ({ waiting }) => countText(waiting) },
      { id: 'actions', header: 'Actions', align: 'right', cell: (queue) => <QueueActions queue={queue} /> },
    ],
    [],
  );
  return (
    <Page
      title="Queues"
      description="The runs of several scripts share places, or are paused together. A script is put into a queue in its settings."
      actions={administers && <Button onClick={dialog.open}>New queue</Button>}
    >
      <Listing label="Queues" query={query} columns={columns} empty={<Empty title="No queue yet" />} />
      <FormDialog title="New queue" opened={opened} onClose={dialog.close}>
        <QueueForm
          submitLabel="Make the queue"
          save={(body) => queuesCreate({ body })}
          onSaved={() => {
            notifyDone('The queue is made. No script is in it yet.');
            void refresh('queuesList');
          }}
          onClose={dialog.close}
        />
      </FormDialog>
    </Page>
  );
}
