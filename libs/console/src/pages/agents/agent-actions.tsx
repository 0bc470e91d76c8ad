import { type Agent, agentsDelete } from '@gatehouse/client/operations';
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { usePlace } from '../../app/use-place.js';
import { confirmDestruction } from '../../kit/confirm.js';
import { FormDialog } from '../../kit/form-dialog.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { RowMenu } from '../../kit/row-menu.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { EditAgent } from './edit-agent.js';

export function AgentActions({ agent }: { agent: Agent }) {
  const [isEditing, setEditing] = useState(false);
  const deletion = useDeletion(agent);
  const askDeletion = (): void =>
    confirmDestruction({
      title: `Delete the agent ${agent.name}?`,
      children: 'Nobody can ask it any more. Runs that it started go on, and keep its name.',
      confirm: 'Delete the agent',
      onConfirm: () => deletion.mutate(),
    });
  return (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <RowMenu label="More actions">
        <Menu.Item c="var(--mantine-color-error)" onClick={askDeletion}>
          Delete
        </Menu.Item>
      </RowMenu>
      <FormDialog title="Edit the agent" size="lg" opened={isEditing} onClose={() => setEditing(false)}>
        <EditAgent agent={agent} onClose={() => setEditing(false)} />
      </FormDialog>
    </>
  );
}

function useDeletion({ slug, name }: Agent) {
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => agentsDelete({ path: { agent: slug } }),
    onSuccess: async () => {
      await navigate({ to: '/w/$workspace/$environment/agents', params: place });
      await refresh('agentsList');
      notifyDone(`The agent ${name} is deleted.`);
    },
    onError: notifyProblem,
  });
}
