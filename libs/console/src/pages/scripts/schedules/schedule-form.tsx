import type { ScheduleInput } from '@gatehouse/client/operations';
import { Grid, Paper, Stack, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { RunForm } from '../../../kit/run-form.js';
import { useAct } from '../../../kit/use-act.js';
import { EnvironmentSelect } from '../environment-select.js';
import { useScript } from '../script-context.js';
import { useUnsaved } from '../use-unsaved.js';
import { CronField } from './cron-field.js';
import { NextTimes } from './next-times.js';
import { TimeZoneSelect } from './time-zone-select.js';

export type ScheduleDraft = Required<ScheduleInput>;

interface ScheduleFormProps {
  draft: ScheduleDraft;
  saveLabel: string;
  onSave: (draft: ScheduleDraft) => Promise<unknown>;
  /** Called when it is saved, and nothing typed can be lost any more. */
  onSaved: () => void;
  /** Stands beside the button; calls `release` before it leaves, when nothing typed counts any more. */
  children?: (release: () => void) => ReactNode;
}

export function ScheduleForm({ draft: first, saveLabel, onSave, onSaved, children }: ScheduleFormProps) {
  const { inputSchema } = useScript();
  const [draft, setDraft] = useState(first);
  const unsaved = useUnsaved();
  const { run, busy, problem } = useAct(async (next: ScheduleDraft) => {
    await onSave(next);
    unsaved.release();
    onSaved();
  });
  const change = (fields: Partial<ScheduleDraft>): void => {
    unsaved.touch();
    setDraft((before) => ({ ...before, ...fields }));
  };
  const wrong = (path: string): string | undefined => (isProblem(problem) ? problem.at(path) : undefined);

  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <TextInput
            label="Name"
            description="What it is for, as lists and runs show it"
            required
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={wrong('name')}
          />
          <CronField value={draft.cron} onChange={(cron) => change({ cron })} error={wrong('cron')} />
          <TimeZoneSelect
            value={draft.timezone}
            onChange={(timezone) => change({ timezone })}
            error={wrong('timezone')}
          />
          <EnvironmentSelect
            description="Whose secrets and policy its runs have"
            value={draft.environment}
            onChange={(environment) => change({ environment })}
            error={wrong('environment')}
          />
          <Title order={3} fz="sm">
            Inputs of each run
          </Title>
          <div onChange={unsaved.touch}>
            <RunForm
              schema={inputSchema}
              inputs={draft.inputs}
              onInputs={(inputs) => setDraft((before) => ({ ...before, inputs }))}
              problem={problem}
              busy={busy}
              submitLabel={saveLabel}
              onSubmit={(inputs) => void run({ ...draft, inputs })}
            >
              {children?.(unsaved.release)}
            </RunForm>
          </div>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }} visibleFrom="md">
        <Times draft={draft} />
      </Grid.Col>
      <Grid.Col span={12} hiddenFrom="md">
        <Times draft={draft} />
      </Grid.Col>
      {unsaved.dialog}
    </Grid>
  );
}

function Times({ draft: { cron, timezone } }: { draft: ScheduleDraft }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="The next times">
      <NextTimes cron={cron} timezone={timezone} />
    </Paper>
  );
}
