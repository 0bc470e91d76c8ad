import { type AuthenticatorOffer, secondFactorsAddAuthenticator } from '@gatehouse/client/operations';
import { Code, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import { CodeInput } from '../../../kit/code-input.js';
import { CopyButton } from '../../../kit/copy-button.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { problemAt } from '../../../kit/form-problem.js';
import { QrCode } from '../../../kit/qr-code.js';
import { useAct } from '../../../kit/use-act.js';

interface AuthenticatorSetupProps {
  offer: AuthenticatorOffer | null;
  onAdded: (recoveryCodes: string[] | null) => void;
  onClose: () => void;
}

export function AuthenticatorSetup({ offer, onAdded, onClose }: AuthenticatorSetupProps) {
  return (
    <FormDialog title="Set up an app for codes" opened={offer !== null} onClose={onClose}>
      {offer && <SetupForm offer={offer} onAdded={onAdded} onClose={onClose} />}
    </FormDialog>
  );
}

function SetupForm({ offer, onAdded, onClose }: AuthenticatorSetupProps & { offer: AuthenticatorOffer }) {
  const [code, setCode] = useState('');
  const { run, busy, problem } = useAct(async () => {
    const { data } = await secondFactorsAddAuthenticator({ body: { code } });
    onAdded(data.recoveryCodes);
  });
  return (
    <DialogForm
      submitLabel="Set it up"
      onSubmit={() => void run()}
      onCancel={onClose}
      busy={busy}
      error={problem}
      fields={['code']}
    >
      <List type="ordered" size="sm">
        <List.Item>
          Scan this with an app for codes, such as the one that you have for other services.
        </List.Item>
        <List.Item>Type the code that it shows.</List.Item>
      </List>
      <Group justify="center">
        <QrCode text={offer.uri} label="QR code for the app" />
      </Group>
      <Stack gap={4}>
        <Text size="sm">Without a camera, type this into the app:</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{offer.secret}</Code>
          <CopyButton value={offer.secret} label="Copy it" />
        </Group>
      </Stack>
      <CodeInput
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={problemAt(problem, 'code')}
      />
    </DialogForm>
  );
}
