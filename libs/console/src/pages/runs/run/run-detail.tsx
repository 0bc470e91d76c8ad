import type { Run } from '@gatehouse/client/operations';
import { runsGetQueryKey } from '@gatehouse/client/react-query';
import { Badge, Grid, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { FailureNotice } from '../../../kit/failure-notice.js';
import { LogView } from '../../../kit/log-view.js';
import { Page } from '../../../kit/page.js';
import { RunFiles } from '../../../kit/run-files.js';
import { RunOutput } from '../../../kit/run-output.js';
import { Section } from '../../../kit/section.js';
import { Status } from '../../../kit/status.js';
import { HeldNotice } from './held-notice.js';
import { RunActions } from './run-actions.js';
import { RunAttempts } from './run-attempts.js';
import { RunFacts } from './run-facts.js';
import { RunInputs } from './run-inputs.js';
import { RunNetwork } from './run-network.js';
import { RunProgress } from './run-progress.js';
import { RunTimeline } from './run-timeline.js';
import { useChosenLine } from './use-chosen-line.js';
import { versionName } from '../version-name.js';

/** A run as it goes on, and afterwards what became of it. */
export function RunDetail({ run }: { run: Run }) {
  const place = usePlace();
  const isFinished = run.phase === 'finished';
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
      {run.phase === 'held' && <HeldNotice run={run} />}
      {run.error !== null && <FailureNotice title={failureTitle(run)} error={run.error} />}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
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
            {isFinished && run.executionStartedAt !== null && (
              <Section title="Network">
                <RunNetwork hosts={run.network ?? []} />
              </Section>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
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
  const readAgain = (): void =>
    void queries.invalidateQueries({ queryKey: runsGetQueryKey({ path: { runId: run.id } }) });
  return (
    <Section title="Log">
      {!isFinished && (
        <RunProgress
          progress={told?.progress ?? run.progress}
          message={told?.message ?? run.progressMessage}
        />
      )}
      <LogView
        runId={run.id}
        live={!isFinished}
        fromEnd={run.status === 'failed'}
        line={line}
        onLine={setLine}
        onProgress={setTold}
        onPhase={(phase) => phase !== run.phase && readAgain()}
        onEnd={() => !isFinished && readAgain()}
      />
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
