import { workspacesDelete } from '@gatehouse/client/operations';
import { Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { refreshSession } from '../../../api/session.js';
import { useWorkspace } from '../../../app/use-place.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { notifyDone } from '../../../kit/notify.js';
import { Section } from '../../../kit/section.js';

export function DeleteWorkspace() {
  const [opened, dialog] = useDisclosure();
  return (
    <Section
      title="Delete the workspace"
      description="Its scripts, runs, files, secrets and webhooks are gone for everybody in it, at once and for good."
    >
      <div>
        <DestroyButton onClick={dialog.open}>Delete this workspace</DestroyButton>
      </div>
      <FormDialog title="Delete the workspace?" opened={opened} onClose={dialog.close}>
        <DeletionForm onClose={dialog.close} />
      </FormDialog>
    </Section>
  );
}

function DeletionForm({ onClose }: { onClose: () => void }) {
  const { name } = useWorkspace();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const deletion = useMutation({
    mutationFn: () => workspacesDelete(),
    onSuccess: async () => {
      await navigate({ to: '/account' });
      await refreshSession();
      await navigate({ to: '/' });
      notifyDone(`The workspace ${name} is deleted.`);
    },
  });
  return (
    <DialogForm
      destroys
      submitLabel="Delete the workspace"
      disabled={typed !== name}
      onSubmit={() => deletion.mutate()}
      onCancel={onClose}
      busy={deletion.isPending}
      error={deletion.error}
    >
      <Text size="sm">
        Everything in <b className="user-text">{name}</b> will be gone for everybody in it: scripts, runs,
        files, secrets, webhooks. API keys and connected apps stop working at once.
      </Text>
      <TextInput
        label={
          <>
            Type <b className="user-text">{name}</b> to delete it
          </>
        }
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
