import '../../app/all-styles.js';

import {
  type AppApprovalInput,
  type AppRequest,
  deviceRequestsApprove,
  deviceRequestsDeny,
  deviceRequestsFind,
} from '@gatehouse/client/operations';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

import { isProblem } from '../../api/problem.js';
import { FormProblem } from '../../kit/form-problem.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from '../entry/entry-frame.js';
import { ConnectForm } from './connect-form.js';
import { SignedInAs } from './signed-in-as.js';

/** Where a person types the code that a device shows, and decides what the device may do. */
export function DevicePage() {
  const [request, setRequest] = useState<AppRequest | null>(null);
  const [decided, setDecided] = useState<boolean | null>(null);
  if (decided !== null) return <Decided allowed={decided} />;
  return (
    <EntryFrame title={request ? `Connect ${request.app.name}` : 'Connect a device'}>
      {request ? <DeviceForm request={request} onDecided={setDecided} /> : <CodeForm onFound={setRequest} />}
      <SignedInAs />
    </EntryFrame>
  );
}

function CodeForm({ onFound }: { onFound: (request: AppRequest) => void }) {
  const { user_code: given = '' } = useSearch({ from: '/device' });
  const [userCode, setUserCode] = useState(given);
  const finding = useAct(async () => onFound((await deviceRequestsFind({ body: { userCode } })).data));
  const unknown = isProblem(finding.problem, 'not_found');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void finding.run();
      }}
    >
      <Stack>
        <TextInput
          label="Code"
          description="Your device shows it."
          placeholder="BCDF-GHJK"
          autoCapitalize="characters"
          autoComplete="off"
          maxLength={40}
          required
          withAsterisk={false}
          value={userCode}
          onChange={({ currentTarget }) => setUserCode(currentTarget.value)}
          error={unknown && 'No device waits with this code. It may have expired: ask for a new one there.'}
        />
        {!unknown && <FormProblem error={finding.problem} />}
        <Button type="submit" loading={finding.busy}>
          Go on
        </Button>
      </Stack>
    </form>
  );
}

function DeviceForm({ request, onDecided }: { request: AppRequest; onDecided: (allowed: boolean) => void }) {
  const { id: userCode } = request;
  const approve = useCallback(
    async (input: AppApprovalInput) => (await deviceRequestsApprove({ body: { ...input, userCode } })).data,
    [userCode],
  );
  return (
    <ConnectForm
      request={request}
      approve={approve}
      deny={async () => (await deviceRequestsDeny({ body: { userCode } })).data}
      onDecided={(_, allowed) => onDecided(allowed)}
    />
  );
}

function Decided({ allowed }: { allowed: boolean }) {
  return (
    <EntryFrame title={allowed ? 'The device is connected' : 'The device was refused'}>
      <Text>
        {allowed
          ? 'Go back to it: it goes on by itself. You can disconnect it in your account at any time.'
          : 'Nothing was granted.'}
      </Text>
    </EntryFrame>
  );
}
