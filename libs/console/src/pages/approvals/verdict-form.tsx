import { type ApprovalRequest, approvalsApprove, approvalsDeny } from '@gatehouse/client/operations';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import { ProblemNotice } from '../../kit/problem-notice.js';
import { useAct } from '../../kit/use-act.js';
import { ActionBar } from './facts.js';
import { denial, WhyNot } from './why-not.js';

interface Props {
  request: ApprovalRequest;
  /** Whether all of what a yes lets happen is on the page. */
  ready: boolean;
  onDecided: (request: ApprovalRequest) => void;
  /** A decision was refused: somebody else may have been first. */
  onRefused: () => void;
}

/** Nothing here that decides has the focus by itself: a yes and a no take a deliberate act. */
export function VerdictForm({ request: { id, action }, ready, onDecided, onRefused }: Props) {
  const { decision } = useSearch({ from: '/approvals/$requestId' });
  const [denying, setDenying] = useState(decision === 'deny');
  const [reason, setReason] = useState('');
  const decide = useAct(async (act: () => Promise<{ data: ApprovalRequest }>) => {
    try {
      onDecided((await act()).data);
    } catch (error) {
      onRefused();
      throw error;
    }
  });
  const approve = (): void => void decide.run(() => approvalsApprove({ path: { id } }));
  const deny = (): void => void decide.run(() => approvalsDeny({ path: { id }, body: denial(reason) }));

  return (
    <ActionBar>
      <Stack gap="sm">
        {decide.problem !== null && <ProblemNotice error={decide.problem} />}
        {denying ? (
          <>
            <WhyNot autoFocus value={reason} onChange={setReason} />
            <Group gap="xs">
              <Button color="red.9" loading={decide.busy} onClick={deny}>
                Deny
              </Button>
              <Button variant="default" disabled={decide.busy} onClick={() => setDenying(false)}>
                Back
              </Button>
            </Group>
          </>
        ) : (
          <Group gap="xs">
            <Button size="md" disabled={!ready} loading={decide.busy} onClick={approve}>
              Approve
            </Button>
            <Button size="md" variant="default" disabled={decide.busy} onClick={() => setDenying(true)}>
              Deny…
            </Button>
            <Text size="sm" c="dimmed">
              {action === 'request.send' ? 'It is sent at once.' : 'It is done at once, in your name.'}
            </Text>
          </Group>
        )}
      </Stack>
    </ActionBar>
  );
}
