import { type ApprovalRequest, approvalsApprove, approvalsDeny } from '@gatehouse/client/operations';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { type Outcome, actOnEach } from '../../../kit/act-on-each.js';
import { Described } from '../../../kit/described.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { isPlain } from '../../../kit/host-rule-text.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { headingOf, type RunInput, runInputOf } from '../approval.js';
import { hostFacts, inputFacts } from '../changes.js';
import { Facts } from '../facts.js';
import { InputTable } from '../input-table.js';
import { SentRequest, sentInputOf } from '../sent-request.js';
import { denial, WhyNot } from '../why-not.js';

export type Verdict = 'approve' | 'deny';

interface DecideFormProps {
  requests: readonly ApprovalRequest[];
  verdict: Verdict;
  onCancel: () => void;
  onDecided: (outcome: Outcome) => void;
}

/** What a yes lets happen, or why it is a no; then each request is decided, and those that were refused are told. */
export function DecideForm({ requests, verdict, onCancel, onDecided }: DecideFormProps) {
  const [reason, setReason] = useState('');
  const refresh = useRefresh();
  const decide = useAct(async () => {
    const act = ({ id }: ApprovalRequest) =>
      verdict === 'approve'
        ? approvalsApprove({ path: { id } })
        : approvalsDeny({ path: { id }, body: denial(reason) });
    // One alone says in the dialog why it was refused.
    const [only, ...others] = requests;
    const isOne = only !== undefined && others.length === 0;
    const outcome = isOne
      ? (await act(only), { done: 1, refused: [] })
      : await actOnEach(requests, headingOf, act);
    onDecided(outcome);
    await refresh('approvalsList', 'approvalsGet', 'runsGet', 'runsList');
  });
  return (
    <DialogForm
      submitLabel={verdict === 'approve' ? 'Approve' : 'Deny'}
      destroys={verdict === 'deny'}
      onSubmit={() => void decide.run()}
      onCancel={onCancel}
      busy={decide.busy}
      error={decide.problem}
    >
      {verdict === 'deny' ? (
        <WhyNot data-autofocus value={reason} onChange={setReason} />
      ) : (
        <>
          {requests.map((request) => (
            <OneRequest key={request.id} request={request} isOne={requests.length === 1} />
          ))}
          <Text size="sm" c="dimmed">
            {requests.every(sentInputOf) ? 'It is sent at once.' : 'It is done at once, in your name.'}
          </Text>
        </>
      )}
    </DialogForm>
  );
}

function OneRequest({ request, isOne }: { request: ApprovalRequest; isOne: boolean }) {
  const run = runInputOf(request);
  const sent = sentInputOf(request);
  return (
    <Stack gap={4}>
      {!isOne && (
        <Title order={3} fz="sm" className="user-text">
          {headingOf(request)}
        </Title>
      )}
      {run && <WhatRuns run={run} request={request} />}
      {sent && (
        <>
          {!isOne && <Text size="sm">{request.summary}</Text>}
          <Details open={isOne}>
            <Facts>
              <SentRequest sent={sent} />
            </Facts>
          </Details>
        </>
      )}
    </Stack>
  );
}

/** One alone is shown as it is; of several each says in a sentence what it is. */
function Details({ open, children }: { open: boolean; children: ReactNode }) {
  if (open) return children;
  return (
    <details>
      <Text component="summary" size="sm">
        All of it
      </Text>
      {children}
    </details>
  );
}

function WhatRuns({ run, request }: { run: RunInput; request: ApprovalRequest }) {
  return (
    <>
      <Text size="sm" component="div">
        <InputTable facts={inputFacts(run.inputs, null)} />
      </Text>
      <Text size="sm" className="user-text">
        {run.hosts.some((host) => isPlain(host, run.hostRules ?? [])) ? (
          // It names the secrets that go there, which the input does not.
          request.summary
        ) : (
          <>
            Version {run.version}. It may reach {hostFacts(run).join('; ') || 'nothing on the network'}.
          </>
        )}{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link to="/approvals/$requestId" params={{ requestId: request.id }} {...props} />
          )}
        >
          Its secrets, and what is new
        </Anchor>
      </Text>
      <Text size="sm" c="dimmed" className="user-text">
        <Described text={request.reason} />
      </Text>
    </>
  );
}
