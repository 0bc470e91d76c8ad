import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Paper,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import IconArrowUp from 'icon:arrow-up';
import IconPlus from 'icon:plus';
import IconTrash from 'icon:trash';
import { useState } from 'react';

import classes from './new.module.css';
import {
  type BuiltInput,
  INPUT_KINDS,
  type InputKind,
  builtInputs,
  hasStart,
  withInput,
  withInputUp,
  withoutInput,
} from './schema-inputs.js';

const KINDS: Record<InputKind, string> = {
  text: 'Text',
  longText: 'Long text',
  number: 'Number',
  whole: 'Whole number',
  yesNo: 'Yes or no',
  date: 'Date',
  choice: 'One of a list',
  texts: 'List of texts',
  file: 'File',
  files: 'Several files',
  other: 'As in the JSON',
};

interface SchemaBuilderProps {
  schema: Record<string, unknown>;
  onSchema: (schema: Record<string, unknown>) => void;
}

/** The inputs of a schema as rows to fill in. What only JSON can say stays as it is there. */
export function SchemaBuilder({ schema, onSchema }: SchemaBuilderProps) {
  const inputs = builtInputs(schema);
  const names = inputs.map(({ name }) => name);
  const add = (): void => {
    const free = Array.from({ length: names.length + 1 }, (_, at) => `input${at + 1}`);
    const name = free.find((one) => !names.includes(one))!;
    const begun = { name, kind: 'text', description: '', isRequired: false, choices: [], start: '' } as const;
    onSchema(withInput(schema, null, { ...begun, choices: [] }));
  };
  return (
    <Stack gap="xs">
      {inputs.map((input, index) => (
        <Paper key={index} withBorder p="xs" role="group" aria-label={`Input ${input.name}`}>
          <InputRow
            input={input}
            others={names.filter((name) => name !== input.name)}
            onInput={(changed) => onSchema(withInput(schema, input.name, changed))}
          />
          <Group justify="space-between" mt={6}>
            <Checkbox
              label="Required"
              checked={input.isRequired}
              onChange={({ currentTarget }) =>
                onSchema(withInput(schema, input.name, { ...input, isRequired: currentTarget.checked }))
              }
            />
            <Group gap={2}>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={index === 0}
                aria-label={`Move ${input.name} up`}
                onClick={() => onSchema(withInputUp(schema, input.name))}
              >
                <IconArrowUp size={17} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${input.name}`}
                onClick={() => onSchema(withoutInput(schema, input.name))}
              >
                <IconTrash size={17} aria-hidden />
              </ActionIcon>
            </Group>
          </Group>
        </Paper>
      ))}
      {inputs.length === 0 && (
        <Text size="sm" c="dimmed">
          It takes no inputs yet.
        </Text>
      )}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          Add an input
        </Button>
      </Group>
    </Stack>
  );
}

interface InputRowProps {
  input: BuiltInput;
  others: readonly string[];
  onInput: (input: BuiltInput) => void;
}

function InputRow({ input, others, onInput }: InputRowProps) {
  const { name, kind, description, choices, start } = input;
  const kinds = INPUT_KINDS.filter((one) => one !== 'other' || kind === 'other');
  return (
    <div className={classes['secret']}>
      {/* Another name from elsewhere begins anew. */}
      <NameField
        key={name}
        name={name}
        others={others}
        onName={(next) => onInput({ ...input, name: next })}
      />
      <Select
        label="Kind"
        data={kinds.map((value) => ({ value, label: KINDS[value] }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => onInput({ ...input, kind: value as InputKind, start: '' })}
      />
      {kind === 'choice' && (
        <TagsInput
          label="Choices"
          placeholder={choices.length === 0 ? 'Enter after each' : ''}
          acceptValueOnBlur
          value={choices}
          onChange={(next) => onInput({ ...input, choices: next })}
        />
      )}
      {hasStart(kind) && <StartField input={input} start={start} onInput={onInput} />}
      <TextInput
        label="Description"
        value={description}
        onChange={({ currentTarget }) => onInput({ ...input, description: currentTarget.value })}
      />
    </div>
  );
}

function StartField({ input, start, onInput }: Omit<InputRowProps, 'others'> & { start: string }) {
  const { kind, choices } = input;
  /** While it is typed: `1.` is on its way to `1.5`. */
  const [typed, setTyped] = useState<string | null>(null);
  const choose = (value: string | null): void => onInput({ ...input, start: value ?? '' });
  if (kind === 'choice' || kind === 'yesNo') {
    const yesNo = [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ];
    return (
      <Select
        label="Begins as"
        placeholder="Nothing"
        data={kind === 'yesNo' ? yesNo : choices}
        value={start === '' ? null : start}
        onChange={choose}
        clearable
      />
    );
  }
  return (
    <TextInput
      label="Begins as"
      placeholder="Nothing"
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={kind === 'number' || kind === 'whole' ? 'decimal' : undefined}
      value={typed ?? start}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        choose(value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

interface NameFieldProps {
  name: string;
  others: readonly string[];
  onName: (name: string) => void;
}

/** It counts when the field is left, and where it can be one. */
function NameField({ name, others, onName }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  const problem =
    typed === '' ? 'It needs a name.' : others.includes(typed) ? 'There is one of this name.' : null;
  const settle = (): void => {
    if (problem === null && typed !== name) onName(typed);
  };
  return (
    <TextInput
      label="Name"
      value={typed}
      spellCheck={false}
      error={problem}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={({ currentTarget }) => setTyped(currentTarget.value.trim())}
      onBlur={settle}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}
