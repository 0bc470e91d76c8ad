import { secondFactorsAddPasskey, secondFactorsBeginPasskey } from '@gatehouse/client/operations';
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';

import { DialogForm } from '../../../kit/dialog-form.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { problemAt } from '../../../kit/form-problem.js';
import { makePasskey } from '../../../kit/passkeys.js';
import { useAct } from '../../../kit/use-act.js';

interface NewPasskeyProps {
  opened: boolean;
  onAdded: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
}

export function NewPasskey({ opened, onAdded, onClose }: NewPasskeyProps) {
  return (
    <FormDialog title="Add a passkey" opened={opened} onClose={onClose}>
      <PasskeyForm onAdded={onAdded} onClose={onClose} />
    </FormDialog>
  );
}

function PasskeyForm({ onAdded, onClose }: Omit<NewPasskeyProps, 'opened'>) {
  const [name, setName] = useState('');
  const { run, busy, problem } = useAct(async () => {
    const { data: begun } = await secondFactorsBeginPasskey();
    const passkey = await makePasskey(begun.options);
    const { data } = await secondFactorsAddPasskey({ body: { name, passkey } });
    onAdded(data.recoveryCodes);
  });
  return (
    <DialogForm
      submitLabel="Add it"
      onSubmit={() => void run()}
      onCancel={onClose}
      busy={busy}
      error={problem}
      fields={['name']}
    >
      <Text size="sm">
        Your browser asks where to keep it: on this device, a phone or a security key. It signs you in without
        the password.
      </Text>
      <TextInput
        label="Name"
        placeholder="My laptop"
        data-autofocus
        maxLength={100}
        required
        withAsterisk={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problemAt(problem, 'name')}
      />
    </DialogForm>
  );
}
