import { type Queue, queuesDelete, queuesUpdate } from '@gatehouse/client/operations';
import { queuesGetOptions } from '@gatehouse/client/react-query';
import { List, Menu, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useRights } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { RowMenu } from '../../../kit/row-menu.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { QueueForm } from './queue-form.js';

export function QueueActions({ queue }: { queue: Queue }) {
  const { name, paused } = queue;
  const { administers } = useRights();
  const [shown, setShown] = useState<'scripts' | 'form' | null>(null);
  const refresh = useRefresh();
  const close = (): void => setShown(null);
  const read = (): Promise<void> => refresh('queuesList', 'queuesGet');
  const pausing = useMutation({
    mutationFn: () => queuesUpdate({ path: { name }, body: { paused: !paused } }),
    onSuccess: async () => {
      await read();
      notifyDone(paused ? `${name} goes on.` : `${name} is paused. What goes on does so.`);
    },
    onError: notifyProblem,
  });
  const deletion = useMutation({
    mutationFn: () => queuesDelete({ path: { name } }),
    onSuccess: async () => {
      await read();
      notifyDone(`The queue ${name} is deleted.`);
    },
    onError: notifyProblem,
  });
  const askDeletion = (): void =>
    confirmDestruction({
      title: `Delete the queue ${name}?`,
      children: 'No script may be in it any more.',
      confirm: 'Delete the queue',
      onConfirm: () => deletion.mutate(),
    });
  return (
    <>
      <RowMenu label={`Actions for the queue ${name}`}>
        <Menu.Item onClick={() => setShown('scripts')}>Scripts</Menu.Item>
        {administers && (
          <>
            <Menu.Item onClick={() => pausing.mutate()}>{paused ? 'Resume' : 'Pause'}</Menu.Item>
            <Menu.Item onClick={() => setShown('form')}>Edit</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={askDeletion}>
              Delete
            </Menu.Item>
          </>
        )}
      </RowMenu>
      <FormDialog title={`Scripts in ${name}`} opened={shown === 'scripts'} onClose={close}>
        <QueuedScripts name={name} />
      </FormDialog>
      <FormDialog title={`Edit ${name}`} opened={shown === 'form'} onClose={close}>
        <QueueForm
          queue={queue}
          submitLabel="Save"
          save={({ limit }) => queuesUpdate({ path: { name }, body: { limit } })}
          onSaved={() => void read()}
          onClose={close}
        />
      </FormDialog>
    </>
  );
}

function QueuedScripts({ name }: { name: string }) {
  const { data, error, refetch } = useQuery(queuesGetOptions({ path: { name } }));
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={80} aria-hidden />;
  if (data.scripts.length === 0) return <Text size="sm">None. A script is put into it in its settings.</Text>;
  return (
    <List size="sm" spacing={2}>
      {data.scripts.map((script) => (
        <List.Item key={script.slug} className="user-text">
          {script.name}
        </List.Item>
      ))}
    </List>
  );
}
