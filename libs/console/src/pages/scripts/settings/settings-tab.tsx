import { scriptsChange } from '@gatehouse/client/operations';
import {
  Alert,
  Button,
  Group,
  NumberInput,
  Stack,
  TagsInput,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';

import { isProblem } from '../../../api/problem.js';
import { staleAfter } from '../../../app/stale-after.js';
import { useRights } from '../../../app/use-place.js';
import { notifyDone } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { PersonName } from '../person-name.js';
import { useScript } from '../script-context.js';
import { useUnsaved } from '../use-unsaved.js';
import { AccessFields } from './access-fields.js';
import { ArchiveScript } from './archive-script.js';
import { AskField } from './ask-field.js';
import { PolicyField } from './policy-field.js';
import { QueueField } from './queue-field.js';
import { type ScriptFields, fieldsOf, patchOf } from './script-fields.js';

const BARE = { border: 0, padding: 0, margin: 0, minWidth: 0 } as const;

export function SettingsTab() {
  const script = useScript();
  const { edits } = useRights();
  if (!edits) return <Text size="sm">Members of this workspace can change this script.</Text>;
  return (
    <Stack maw={640} gap="xl">
      <SettingsForm key={script.id} />
      {script.status !== 'archived' && <ArchiveScript />}
    </Stack>
  );
}

function SettingsForm() {
  const script = useScript();
  const { slug, status, ownerUserId } = script;
  const refresh = useRefresh();
  const unsaved = useUnsaved();
  const [typed, setTyped] = useState<Partial<ScriptFields>>({});
  const [typedAt, setTypedAt] = useState<number | null>(null);
  const fields: ScriptFields = { ...fieldsOf(script), ...typed };
  const { run, busy, problem } = useAct(async () => {
    const expectedVersion = typedAt ?? script.revision;
    // Whatever comes of it, the person has seen by then what there is now.
    setTypedAt(null);
    try {
      await scriptsChange({
        path: { slug },
        body: { ...patchOf(fieldsOf(script), fields), expectedVersion },
      });
    } finally {
      await refresh(...staleAfter('script.changed'));
    }
    unsaved.release();
    setTyped({});
    notifyDone(`${fields.name} is saved.`);
  });
  const change = (changed: Partial<ScriptFields>): void => {
    unsaved.touch();
    setTypedAt((before) => before ?? script.revision);
    setTyped((before) => ({ ...before, ...changed }));
  };
  const wrong = (path: string): string | undefined => (isProblem(problem) ? problem.at(path) : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run();
  };
  const archived = status === 'archived';

  return (
    <form onSubmit={submit}>
      <fieldset disabled={archived} style={BARE}>
        <Stack>
          <Text size="sm" c="dimmed">
            Its slug is <code>{slug}</code>, which stays the same. Made by <PersonName userId={ownerUserId} />
            .
          </Text>
          <TextInput
            label="Name"
            required
            value={fields.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={wrong('name')}
          />
          <Textarea
            label="Description"
            description="A sentence that says what it does"
            autosize
            minRows={2}
            value={fields.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
            error={wrong('description')}
          />
          <TagsInput
            label="Tags"
            description="Press Enter after each"
            value={fields.tags}
            onChange={(tags) => change({ tags })}
            error={wrong('tags')}
            clearable
          />
          <AccessFields before={script} fields={fields} onChange={change} errorAt={wrong} />
          <PolicyField
            before={script.approvalPolicy}
            value={fields.approvalPolicy}
            onChange={(approvalPolicy) => change({ approvalPolicy })}
          />
          <QueueField
            before={script.queue}
            value={fields.queue}
            onChange={(queue) => change({ queue })}
            error={wrong('queue')}
          />
          <NumberInput
            label="Keep runs for"
            description="Days from their end, with their logs and files; never longer than the operator says. Left empty: as long as that."
            min={1}
            max={3650}
            allowDecimal={false}
            maw={200}
            value={fields.retention?.runs ?? ''}
            onChange={(days) => change({ retention: typeof days === 'number' ? { runs: days } : null })}
            error={wrong('retention.runs')}
          />
          <AskField value={fields.ask} onChange={(ask) => change({ ask })} error={askProblem(problem)} />
          {wrong('expectedVersion') !== undefined && <ChangedMeanwhile />}
          {problem !== null && wrong('expectedVersion') === undefined && <ProblemNotice error={problem} />}
          <Group gap="xs">
            <Button type="submit" loading={busy} disabled={archived || !unsaved.isTouched}>
              Save
            </Button>
            {archived && (
              <Text size="sm" c="dimmed">
                Restore the script to change it.
              </Text>
            )}
          </Group>
        </Stack>
      </fieldset>
      {unsaved.dialog}
    </form>
  );
}

/** Also one inside of the condition. */
function askProblem(problem: unknown): string | undefined {
  if (!isProblem(problem)) return undefined;
  return problem.details.find(({ path }) => path.startsWith('ask'))?.message;
}

function ChangedMeanwhile() {
  return (
    <Alert color="yellow" variant="light" title="Somebody changed this script meanwhile">
      <Text size="sm">
        What you have not touched shows their change now; the rest is as you typed it. Look at it, and save
        again.
      </Text>
    </Alert>
  );
}
