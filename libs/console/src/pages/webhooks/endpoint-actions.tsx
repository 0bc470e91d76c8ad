import { type WebhookEndpoint, endpointsDelete, endpointsRotateSecret } from '@gatehouse/client/operations';
import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { AuditLink } from '../../app/audit-link.js';
import { usePlace } from '../../app/use-place.js';
import { confirmDestruction } from '../../kit/confirm.js';
import { FormDialog } from '../../kit/form-dialog.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { RowMenu } from '../../kit/row-menu.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { EditEndpoint } from './edit-endpoint.js';
import { SigningSecretDialog } from './new-endpoint.js';
import { RecoverEvents } from './recover-events.js';

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [shown, setShown] = useState<'form' | 'recovery' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = (): void => setShown(null);
  const rotation = useMutation({
    mutationFn: (endpointId: string) => endpointsRotateSecret({ path: { endpointId } }),
    onSuccess: ({ data }) => setSecret(data.secret),
    onError: notifyProblem,
  });
  const deletion = useDeletion(endpoint);

  const askRotation = (): void =>
    confirmDestruction({
      title: 'Make a new signing secret?',
      children:
        'For 24 hours each request is signed with both, the new secret and the one until now. ' +
        'After that the old one signs nothing any more.',
      confirm: 'Make a new secret',
      onConfirm: () => rotation.mutate(endpoint.id),
    });
  const askDeletion = (): void =>
    confirmDestruction({
      title: 'Delete this endpoint?',
      children: `Nothing is sent to ${endpoint.url} any more, and the record of its deliveries is gone.`,
      confirm: 'Delete the endpoint',
      onConfirm: () => deletion.mutate(),
    });
  return (
    <>
      <AuditLink target={endpoint.id} />
      <Button variant="default" onClick={() => setShown('form')}>
        Edit
      </Button>
      <RowMenu label="More actions">
        <Menu.Item onClick={() => setShown('recovery')}>Recover missed events</Menu.Item>
        <Menu.Item onClick={askRotation}>New signing secret</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={askDeletion}>
          Delete
        </Menu.Item>
      </RowMenu>
      <FormDialog title="Edit the endpoint" size="lg" opened={shown === 'form'} onClose={close}>
        <EditEndpoint endpoint={endpoint} onClose={close} />
      </FormDialog>
      <FormDialog title="Recover missed events" opened={shown === 'recovery'} onClose={close}>
        <RecoverEvents endpointId={endpoint.id} onClose={close} />
      </FormDialog>
      <SigningSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function useDeletion({ id, url }: WebhookEndpoint) {
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => endpointsDelete({ path: { endpointId: id } }),
    onSuccess: async () => {
      await navigate({ to: '/w/$workspace/$environment/webhooks', params: place });
      await refresh('endpointsList');
      notifyDone(`The endpoint ${url} is deleted.`);
    },
    onError: notifyProblem,
  });
}
