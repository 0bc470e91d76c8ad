import { type EndpointInput, endpointsCreate } from '@gatehouse/client/operations';
import { Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { DialogForm } from '../../kit/dialog-form.js';
import { FormDialog } from '../../kit/form-dialog.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { ENDPOINT_FIELDS, EndpointFields, type EndpointValues, endpointBody } from './endpoint-fields.js';
import { SigningSecret } from './signing-secret.js';

export function NewEndpoint({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <FormDialog title="New endpoint" size="lg" opened={opened} onClose={onClose}>
        <CreationForm
          onClose={onClose}
          onMade={(made) => {
            onClose();
            setSecret(made);
          }}
        />
      </FormDialog>
      <SigningSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

/** Stays until it is said that the secret is kept: nothing else shows it again. */
export function SigningSecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Modal
      title="The signing secret"
      size="xl"
      opened={secret !== null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      {secret !== null && <SigningSecret secret={secret} onKept={onClose} />}
    </Modal>
  );
}

function CreationForm({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const refresh = useRefresh();
  const form = useForm<EndpointValues>({
    initialValues: { url: '', description: '', which: 'every', eventTypes: [] },
  });
  const making = useMutation({
    mutationFn: (body: EndpointInput) => endpointsCreate({ body }),
    onSuccess: ({ data }) => {
      void refresh('endpointsList');
      onMade(data.secret);
    },
  });
  return (
    <DialogForm
      submitLabel="Make the endpoint"
      onSubmit={() => making.mutate(endpointBody(form.values))}
      onCancel={onClose}
      busy={making.isPending}
      error={making.error}
      fields={ENDPOINT_FIELDS}
    >
      <EndpointFields form={form} error={making.error} />
    </DialogForm>
  );
}
