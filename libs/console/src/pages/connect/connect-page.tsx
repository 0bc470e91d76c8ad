import '../../app/all-styles.js';

import {
  type AppApprovalInput,
  type AppDecision,
  appRequestsApprove,
  appRequestsDeny,
} from '@gatehouse/client/operations';
import { appRequestsGetOptions } from '@gatehouse/client/react-query';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback } from 'react';

import { isProblem } from '../../api/problem.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { EntryFrame } from '../entry/entry-frame.js';
import { ConnectForm } from './connect-form.js';
import { SignedInAs } from './signed-in-as.js';

/** Reached from an app's sign-in: the person decides, and the browser goes back to the app. */
export function ConnectPage() {
  const { requestId: id } = useParams({ from: '/connect/$requestId' });
  const { data: request, error } = useQuery({
    ...appRequestsGetOptions({ path: { id } }),
    // What the person chose is not to be drawn anew under their hands.
    staleTime: Infinity,
    retry: false,
  });
  const approve = useCallback(
    async (body: AppApprovalInput) => (await appRequestsApprove({ path: { id }, body })).data,
    [id],
  );
  return (
    <EntryFrame title={request ? `Connect ${request.app.name}` : 'Connect an app'}>
      {request ? (
        <>
          <ConnectForm
            request={request}
            approve={approve}
            deny={async () => (await appRequestsDeny({ path: { id } })).data}
            onDecided={goOn}
          />
          <SignedInAs />
        </>
      ) : isProblem(error, 'not_found') ? (
        <Text>
          This request has expired, was decided already, or began in another account. Start again in the app.
        </Text>
      ) : error ? (
        <ProblemNotice error={error} />
      ) : (
        <Skeleton height={320} />
      )}
    </EntryFrame>
  );
}

function goOn({ redirectTo }: AppDecision): void {
  if (redirectTo !== null) window.location.assign(redirectTo);
}
