import type { Run } from '@gatehouse/client/operations';
import { runsGetQueryKey } from '@gatehouse/client/react-query';
import { Badge, Grid, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { FailureNotice } from '../../../kit/failure-notice.js';
import { LogView } from '../../../kit/log-view.js';
import { Page } from '../../../kit/page.js';
import { RunFiles } from '../../../kit/run-files.js';
import { RunOutput } from '../../../kit/run-output.js';
import { Section } from '../../../kit/section.js';
import { Status } from '../../../kit/status.js';
import { Chain } from '../chain/chain.js';
import { FailedRun } from '../failed/failed-run.js';
import { SinceSuccess } from '../failed/since-success.js';
import { useLastSuccess } from '../failed/use-last-success.js';
import { PlanNotice } from '../plan/plan-notice.js';
import { PlannedRequests } from '../plan/planned-requests.js';
import { AskingNotice } from './asking-notice.js';
import { HeldNotice } from './held-notice.js';
import { RunActions } from './run-actions.js';
import { RunAttempts } from './run-attempts.js';
import { RunFacts } from './run-facts.js';
import { RunInputs } from './run-inputs.js';
import { RunNetwork } from './run-network.js';
import { RunProgress } from './run-progress.js';
import { RunTimeline } from './run-timeline.js';
import { useChosenLine } from './use-chosen-line.js';
import { WholeLog } from './whole-log.js';
import { versionName } from '../version-name.js';

/** A run as it goes on, and afterwards what became of it. */
export function RunDetail({ run }: { run: Run }) {
  const place = usePlace();
  const isFinished = run.phase === 'finished';
  const hasFailed = isFinished && run.status === 'failed';
  const success = useLastSuccess(hasFailed ? run : null);
  const outputs = run.files?.filter(({ direction }) => direction === 'out') ?? [];
  const given = run.files?.filter(({ direction }) => direction === 'in') ?? [];
  return (
    <Page
      title={`Run of ${run.script.slug}`}
      heading={<Heading run={run} />}
      crumbs={[
        { label: 'Runs', link: { to: '/w/$workspace/$environment/runs', params: place } },
        {
          label: run.script.slug,
          link: {
            to: '/w/$workspace/$environment/scripts/$slug',
            params: { ...place, slug: run.script.slug },
          },
        },
      ]}
      actions={<RunActions run={run} />}
    >
      <RunTimeline run={run} />
      {run.plan && <PlanNotice run={run} />}
      {run.phase === 'held' && <HeldNotice run={run} />}
      {run.waitingApprovalIds.length > 0 && <AskingNotice run={run} />}
      {hasFailed ? (
        <FailedRun run={run} success={success} />
      ) : (
        run.error !== null && <FailureNotice title={failureTitle(run)} error={run.error} />
      )}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            {run.plan && isFinished && <PlannedRequests run={run} />}
            {run.status === 'succeeded' && (
              <Section title="Output">
                <RunOutput run={run} />
              </Section>
            )}
            {outputs.length > 0 && (
              <Section title="Files that it wrote">
                <RunFiles files={outputs} open />
              </Section>
            )}
            {run.phase !== 'held' && <Log run={run} />}
            {isTriedAgain(run) && (
              <Section title="Attempts">
                <RunAttempts attempts={run.attempts ?? []} />
              </Section>
            )}
            <Chain run={run} />
            {isFinished && run.executionStartedAt !== null && (
              <Section title="Network">
                <RunNetwork hosts={run.network ?? []} />
              </Section>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            {hasFailed && success !== undefined && <SinceSuccess run={run} success={success} />}
            <Section title="About this run">
              <RunFacts run={run} />
            </Section>
            <Section title="Inputs">
              <RunInputs run={run} />
              {given.length > 0 && <RunFiles files={given} />}
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Heading({ run }: { run: Run }) {
  return (
    <Group gap="xs" component="span">
      <span className="user-text">Run of {run.script.slug}</span>
      <Status status={run.phase === 'finished' ? run.status : run.phase} />
      {run.plan && (
        <Badge variant="outline" color="gray" tt="none" radius="sm" c="var(--mantine-color-text)">
          Plan
        </Badge>
      )}
      {run.test && (
        <Badge variant="outline" color="gray" tt="none" radius="sm" c="var(--mantine-color-text)">
          Test of {versionName(run)}
        </Badge>
      )}
    </Group>
  );
}

/** The log, and what the script says of its progress, which comes on the same stream. */
function Log({ run }: { run: Run }) {
  const queries = useQueryClient();
  const [line, setLine] = useChosenLine();
  const [told, setTold] = useState<{ progress: number | null; message: string | null } | null>(null);
  const isFinished = run.phase === 'finished';
  const { hash } = useLocation();
  // The run was not there yet when the page was opened.
  useEffect(() => {
    if (hash === 'log') document.getElementById('log')?.scrollIntoView();
  }, [hash]);
  const readAgain = (): void =>
    void queries.invalidateQueries({ queryKey: runsGetQueryKey({ path: { runId: run.id } }) });
  return (
    <Section title="Log" id="log">
      {!isFinished && (
        <RunProgress
          progress={told?.progress ?? run.progress}
          message={told?.message ?? run.progressMessage}
        />
      )}
      <LogView
        runId={run.id}
        live={!isFinished}
        total={isFinished ? run.logLines : null}
        startedAt={run.executionStartedAt}
        fromEnd={run.status === 'failed'}
        line={line}
        onLine={setLine}
        onProgress={setTold}
        onPhase={(phase) => phase !== run.phase && readAgain()}
        onEnd={() => !isFinished && readAgain()}
      />
      {run.wholeLog && <WholeLog runId={run.id} whole={run.wholeLog} />}
    </Section>
  );
}

/** Also one that was cancelled while it waited for its second attempt. */
function isTriedAgain({ attempt, phase, status, attempts = [] }: Run): boolean {
  const hasEnded = status === 'cancelled' && attempts.some(({ error }) => error !== null);
  return attempt > 1 || phase === 'retrying' || hasEnded;
}

function failureTitle({ status, phase, attempt }: Run): string {
  if (phase !== 'finished') return `Attempt ${attempt} did not end well`;
  return status === 'cancelled' ? 'This run was cancelled' : 'This run failed';
}
