import type { Run } from '@gatehouse/client/operations';
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { CopyButton } from '../../../kit/copy-button.js';
import classes from './run-facts.module.css';
import { Fact } from './fact.js';
import { RunCause } from './run-causes.js';
import { RunLabels } from '../run-labels.js';
import { usePersonName } from './use-person-name.js';
import { versionName } from '../version-name.js';

const INTERFACES: Record<Run['interface'], string> = {
  app: 'In the console',
  api: 'Through the API',
  cli: 'With the command line',
  mcp: 'By an agent',
  schedule: 'By a schedule',
  trigger: 'By a trigger',
  hook: 'By a request to a hook',
};

const CREDENTIALS: Record<string, string> = {
  pat: 'Personal access token',
  api_key: 'API key',
  oauth: 'Agent',
};

/** Who started a run, and how. */
export function RunFacts({ run }: { run: Run }) {
  const place = usePlace();
  const nameOf = usePersonName();
  const { startedBy, script } = run;
  const within = { ...place, slug: script.slug };
  return (
    <dl className={classes['facts']}>
      <Fact name="Script">
        <Anchor
          inherit
          underline="always"
          className="user-text"
          renderRoot={(props) => (
            <Link to="/w/$workspace/$environment/scripts/$slug" params={within} {...props} />
          )}
        >
          {script.slug}
        </Anchor>
        , {versionName(run)}
      </Fact>
      <Fact name="Environment">{run.environment}</Fact>
      <Fact name="Started by">
        {startedBy.userId === null ? 'No person' : nameOf(startedBy.userId)}
        {startedBy.credentialType !== null && (
          <Text span inherit c="dimmed">
            {` with ${CREDENTIALS[startedBy.credentialType] ?? startedBy.credentialType} “${startedBy.credentialName ?? ''}”`}
          </Text>
        )}
      </Fact>
      <Fact name="How">
        {run.scheduleId !== null ? (
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/schedules/$scheduleId"
                params={{ ...within, scheduleId: run.scheduleId! }}
                {...props}
              />
            )}
          >
            {INTERFACES[run.interface]}
          </Anchor>
        ) : run.triggerId !== null ? (
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/triggers/$triggerId"
                params={{ ...within, triggerId: run.triggerId! }}
                {...props}
              />
            )}
          >
            {INTERFACES[run.interface]}
          </Anchor>
        ) : run.hookId !== null ? (
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/hooks/$hookId"
                params={{ ...within, hookId: run.hookId! }}
                {...props}
              />
            )}
          >
            {INTERFACES[run.interface]}
          </Anchor>
        ) : (
          INTERFACES[run.interface]
        )}
      </Fact>
      {run.causedBy !== null && (
        <Fact name="Caused by">
          <RunCause cause={run.causedBy} script={script.slug} />
        </Fact>
      )}
      {Object.keys(run.labels).length > 0 && (
        <Fact name="Labels">
          <RunLabels labels={run.labels} place={place} />
        </Fact>
      )}
      {run.approvalRequestId !== null && (
        <Fact name="Approval">
          <Anchor
            inherit
            renderRoot={(props) => (
              <Link to="/approvals/$requestId" params={{ requestId: run.approvalRequestId! }} {...props} />
            )}
          >
            See the request
          </Anchor>
        </Fact>
      )}
      <Fact name="Run">
        <Group gap="xs">
          <code className="user-text">{run.id}</code>
          <CopyButton value={run.id} label="Copy the id" />
        </Group>
      </Fact>
    </dl>
  );
}
