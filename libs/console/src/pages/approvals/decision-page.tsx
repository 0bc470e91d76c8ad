import { Anchor } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { newQueryClient } from '../../api/query-client.js';
import { useUser } from '../../api/session.js';
import { LiveProvider } from '../../app/live.js';
import { PlainFrame } from '../../app/plain-frame.js';
import { Decision } from './decision.js';
import type { FoundRequest } from './find-request.js';

/** Reached from a mail: by itself, with the workspace's events but without its navigation. */
export function DecisionPage() {
  const found = useRouteContext({ from: '/approvals/$requestId' });
  return <InPlace key={found.request.id} {...found} />;
}

function InPlace({ request, place }: FoundRequest) {
  const { workspaces } = useUser();
  // What was read in one workspace is never shown in another.
  const [queries] = useState(newQueryClient);
  const name = workspaces.find(({ slug }) => slug === place.workspace)?.name ?? place.workspace;
  const inbox = { workspace: place.workspace, environment: DEFAULT_ENVIRONMENT };
  return (
    <QueryClientProvider client={queries}>
      <LiveProvider place={place}>
        <PlainFrame
          back={
            <Anchor
              size="sm"
              truncate
              className="user-text"
              renderRoot={(props) => (
                <Link to="/w/$workspace/$environment/approvals" params={inbox} {...props} />
              )}
            >
              Approvals of {name}
            </Anchor>
          }
        >
          <Decision request={request} place={place} />
        </PlainFrame>
      </LiveProvider>
    </QueryClientProvider>
  );
}
