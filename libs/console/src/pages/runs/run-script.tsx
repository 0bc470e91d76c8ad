import { type Script, runsStart } from '@gatehouse/client/operations';
import { Button, CopyButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import IconLink from 'icon:link';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';

import { runOptions } from '../../kit/run-options.js';
import { basePath } from '../../api/base.js';
import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { useUser } from '../../api/session.js';
import { usePlace } from '../../app/use-place.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { RunForm } from '../../kit/run-form.js';
import { fileInputs } from '../../kit/run-form/form-ui.js';
import { CommandsPopover } from './start/commands-popover.js';
import { forgetInputs, lastInputs, rememberInputs } from './start/last-inputs.js';
import { withoutFiles, withoutSecrets } from './start/sensitive-inputs.js';
import { type StartingInputs, startingInputs } from './start/starting-inputs.js';
import { type FormName, forgetTyped, keepTyped, typedInputs } from './start/typed-inputs.js';
import { AS_USUAL, startBody, StartOptionsPopover } from './start/start-options.js';
import { useBeginRun } from './start/use-begin-run.js';

type Inputs = Record<string, unknown>;

export interface RunScriptProps {
  script: Pick<Script, 'slug' | 'inputSchema'>;
}

/** A longer address is cut on its way by some programs. */
const LONGEST_LINK = 6_000;

/**
 * The form that runs a script. It begins with what was typed into it before, the inputs of the page's address (`?inputs=`),
 * of an earlier run (`?from=run_…`), or with those of the last time.
 */
export function RunScript({ script }: RunScriptProps) {
  const { from } = useSearch({ strict: false }) as { from?: string };
  const earlier = useQuery({
    ...runOptions(from ?? ''),
    enabled: from !== undefined,
  });
  if (from !== undefined && earlier.isPending) return <Skeleton height={160} />;
  return (
    <Stack>
      {earlier.error && (
        <ProblemNotice
          error={earlier.error}
          title="The earlier run cannot be read"
          onRetry={earlier.refetch}
        />
      )}
      <StartForm
        key={`${script.slug} ${from ?? ''}`}
        script={script}
        earlier={earlier.data?.inputs ?? null}
      />
    </Stack>
  );
}

function StartForm({ script: { slug, inputSchema }, earlier }: RunScriptProps & { earlier: Inputs | null }) {
  const { workspace, environment } = usePlace();
  const { id: userId } = useUser();
  const { from, inputs: link } = useSearch({ strict: false }) as { from?: string; inputs?: unknown };
  const form: FormName = { userId, workspace, slug, begunWith: JSON.stringify([from, link]) };
  const [first, setFirst] = useState(() => {
    const sources = { typed: typedInputs(form), link, run: earlier, last: lastInputs(workspace, slug) };
    return startingInputs(sources, inputSchema);
  });
  const [inputs, setInputs] = useState(first.inputs);
  const [options, setOptions] = useState(AS_USUAL);
  const { begin, busy, problem } = useBeginRun();
  const safe = useMemo(() => withoutSecrets(inputs, inputSchema), [inputs, inputSchema]);

  const isTouched = useRef(false);
  const touch = (): void => void (isTouched.current = true);
  const change = (typed: Inputs): void => {
    setInputs(typed);
    // The form also tells of the defaults that it fills in by itself.
    if (isTouched.current) keepTyped(form, withoutSecrets(typed, inputSchema));
  };
  const submit = (sent: Inputs, plan = false): void => {
    forgetTyped(form);
    rememberInputs(workspace, slug, withoutFiles(withoutSecrets(sent, inputSchema), fileInputs(inputSchema)));
    const body = { inputs: sent, ...startBody(options), ...(plan && { plan }) };
    void begin({ slug, test: false, plan, attempt: `${slug} ${JSON.stringify(body)}` }, (key) =>
      runsStart({ path: { slug }, body, headers: { 'Idempotency-Key': key } }),
    );
  };
  const clear = (): void => {
    forgetInputs(workspace, slug);
    forgetTyped(form);
    const empty = startingInputs({ typed: null, link: null, run: null, last: null }, inputSchema);
    setFirst(empty);
    setInputs(empty.inputs);
  };
  return (
    <Stack gap="sm" onInputCapture={touch} onPointerDownCapture={touch} onDropCapture={touch}>
      <Origin from={first.from} onClear={clear} />
      <RunForm
        schema={inputSchema}
        inputs={inputs}
        onInputs={change}
        problem={problem}
        busy={busy}
        submitLabel="Run"
        onSubmit={(sent) => submit(sent)}
        other={{ label: 'Plan', onSubmit: (sent) => submit(sent, true) }}
      >
        <StartOptionsPopover
          options={options}
          onOptions={(change) => setOptions((before) => ({ ...before, ...change }))}
          problem={problem}
        />
        {Object.keys(safe).length > 0 && <CopyLink inputs={safe} />}
        <CommandsPopover
          request={() => ({
            slug,
            inputs: safe,
            workspace,
            environment: environment === DEFAULT_ENVIRONMENT ? null : environment,
            origin: `${location.origin}${basePath}`,
          })}
        />
      </RunForm>
    </Stack>
  );
}

const ORIGINS = {
  typed: 'These are your inputs as you left them.',
  link: 'These inputs came with the link.',
  run: 'These are the inputs of the earlier run.',
  last: 'These are your inputs of the last time.',
};

function Origin({ from, onClear }: Pick<StartingInputs, 'from'> & { onClear: () => void }) {
  if (from === null) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {ORIGINS[from]}
      </Text>
      <Button size="compact-xs" variant="default" onClick={onClear}>
        Start from the defaults
      </Button>
    </Group>
  );
}

function CopyLink({ inputs }: { inputs: Inputs }) {
  const link = `${location.origin}${location.pathname}?inputs=${encodeURIComponent(JSON.stringify(inputs))}`;
  if (link.length > LONGEST_LINK) return null;
  return (
    <CopyButton value={link}>
      {({ copied, copy }) => (
        <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={copy}>
          {copied ? 'Copied' : 'Copy link with these inputs'}
        </Button>
      )}
    </CopyButton>
  );
}
