import { NumberInput, Stack, Switch, TagsInput, TextInput, Textarea } from '@mantine/core';

import type { Problem } from '../../../api/problem.js';
import type { DraftSettings } from './draft.js';
import { DEFAULT_TIMEOUT } from './draft.js';
import { HostRuleRows } from './host-rule-rows.js';
import { InputSchemaField } from './input-schema-field.js';
import { ResourceFields } from './resource-fields.js';
import { SchemaField } from './schema-field.js';
import { withHosts, withSecret } from './secret-row.js';
import { SecretRows } from './secret-rows.js';
import { useSecretKinds } from './use-secret-kinds.js';

interface SettingsTabProps {
  settings: DraftSettings;
  onSettings: (patch: Partial<DraftSettings>) => void;
  /** What the service said about the last attempt. */
  problem: Problem | null;
}

/** How the script is run, and what it may reach. */
export function SettingsTab({ settings, onSettings, problem }: SettingsTabProps) {
  const kinds = useSecretKinds();
  const readable = [...kinds.keys()].filter((name) => kinds.get(name) === 'text');
  const at = (field: string): string | undefined =>
    problem?.details.find(
      ({ path }) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`),
    )?.message;
  return (
    <Stack gap="md" maw={720}>
      <TextInput
        label="Command"
        description="What a run executes. Inputs stand in braces: python main.py --city {city} [--unit {unit}]. Left empty, it is worked out from the files: main.py, package.json, index.js, main.sh."
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        spellCheck={false}
        value={settings.command}
        onChange={({ currentTarget }) => onSettings({ command: currentTarget.value })}
        error={at('command')}
      />
      <NumberInput
        label="Time limit"
        description="In seconds. Over 30 it is a long run, which whoever starts it need not wait for."
        min={1}
        max={604_800}
        clampBehavior="strict"
        allowDecimal={false}
        maw={200}
        value={settings.timeout}
        onChange={(value) => onSettings({ timeout: typeof value === 'number' ? value : DEFAULT_TIMEOUT })}
        error={at('timeout')}
      />
      <ResourceFields
        value={settings.resources}
        onChange={(resources) => onSettings({ resources })}
        problemAt={at}
      />
      <TagsInput
        label="Runs on workers with"
        description="The tags that a worker must carry, all of them, such as eu-vpc. None: any worker. Where the environment names tags, those count instead."
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={settings.runsOn}
        onChange={(runsOn) => onSettings({ runsOn })}
        error={at('runsOn')}
      />
      <SchemaField
        label="Trying again"
        description='When a run that did not end well is tried again, as JSON: {"attempts": 3, "delay": 10, "on": ["failed"]}. Left empty: never.'
        value={settings.retry}
        onChange={(retry) => onSettings({ retry })}
        problem={at('retry')}
      />
      <Switch
        label="May begin again after its worker was lost"
        description="Only for scripts that do no harm when they run twice."
        checked={settings.idempotent}
        onChange={({ currentTarget }) => onSettings({ idempotent: currentTarget.checked })}
      />
      <Switch
        label="It exports a function"
        description="The command names a file, such as node main.mjs or python main.py. Each run calls what it exports as its default, or as main in Python, and the output is what that returns."
        checked={settings.handler}
        onChange={({ currentTarget }) => onSettings({ handler: currentTarget.checked })}
        error={at('handler')}
      />
      <SchemaField
        label="Its process stays"
        description='For further runs of such a function, which find in memory what earlier ones left there, as JSON: {"idleSeconds": 300, "runs": 1000}. Left empty: each run has a process of its own.'
        value={settings.keep}
        onChange={(keep) => onSettings({ keep })}
        problem={at('keep')}
      />
      <Switch
        label="Its interpreter may start before a run"
        description="Runs then begin sooner. Not for scripts whose packages may not be imported before there is a run."
        checked={settings.warm}
        onChange={({ currentTarget }) => onSettings({ warm: currentTarget.checked })}
      />
      <SchemaField
        label="How many at once"
        description='Runs that make the same of the key share places, as JSON: {"limit": 1, "key": "{customer}", "onLimit": "queue"}. Left empty: any number.'
        value={settings.concurrency}
        onChange={(concurrency) => onSettings({ concurrency })}
        problem={at('concurrency')}
      />
      <SchemaField
        label="Gathering starts"
        description='How long a start waits, in seconds, for further ones of its key that take its place, as JSON: {"wait": 30, "key": "{customer}", "maxWait": 300}. Left empty: each start is a run at once.'
        value={settings.debounce}
        onChange={(debounce) => onSettings({ debounce })}
        problem={at('debounce')}
      />
      <SchemaField
        label="Labels of its runs"
        description='By which they are found, with inputs as {name}, as JSON: {"customer": "{customer}"}. Left empty: none.'
        value={settings.labels}
        onChange={(labels) => onSettings({ labels })}
        problem={at('labels')}
      />
      <InputSchemaField
        settings={settings}
        onInputSchema={(inputSchema) => onSettings({ inputSchema })}
        problem={at('inputSchema')}
      />
      <TagsInput
        label="Hosts"
        description="The only hosts that the script may reach, by HTTPS unless you say otherwise below. None: no network. *.example.com stands for any below it."
        placeholder={settings.hosts.length === 0 ? 'api.example.com' : ''}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={settings.hosts}
        onChange={(hosts) => onSettings({ hosts })}
        error={at('hosts')}
      />
      <HostRuleRows
        hosts={settings.hosts}
        rules={settings.hostRules}
        onRules={(hostRules) => onSettings({ hostRules })}
      />
      <SecretRows
        rows={settings.secrets}
        hosts={settings.hosts}
        kinds={kinds}
        onRows={(secrets) => onSettings({ secrets })}
        onMade={(secret, hosts) =>
          onSettings({
            secrets: withSecret(settings.secrets, secret),
            hosts: withHosts(settings.hosts, hosts),
          })
        }
        problem={at('secrets')}
      />
      <TagsInput
        label="Secrets as environment variables"
        description="For programs that have to hold the secret themselves. Their names; each must allow it in its settings."
        data={readable}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={settings.env}
        onChange={(env) => onSettings({ env })}
        error={at('env')}
      />
      <Textarea
        label="Build command"
        description="In place of the usual installation of requirements.txt, pyproject.toml or package.json."
        autosize
        minRows={1}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={settings.build}
        onChange={({ currentTarget }) => onSettings({ build: currentTarget.value })}
        error={at('build')}
      />
      <SchemaField
        label="Output schema"
        description="JSON Schema that what the script returns must fit. Left empty, anything does."
        value={settings.outputSchema}
        onChange={(outputSchema) => onSettings({ outputSchema })}
        problem={at('outputSchema')}
      />
    </Stack>
  );
}
