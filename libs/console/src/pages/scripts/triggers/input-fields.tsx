import { Autocomplete, Code, Stack, Text, Title } from '@mantine/core';

import { useScript } from '../script-context.js';
import { inputNames, propertyOf } from './trigger-draft.js';

interface InputFieldsProps {
  inputs: Record<string, string>;
  /** The paths that there are to choose from. */
  paths: string[];
  /** What stands before a path in a template, and where the value is from. */
  from?: { prefix: string; example: string; words: string };
  onChange: (inputs: Record<string, string>) => void;
  errorAt: (path: string) => string | undefined;
}

const EVENT = { prefix: 'event.data.', example: 'script.slug', words: 'the event' };

/** The inputs of the runs, each a fixed value or one taken from what happened. */
export function InputFields({ inputs, paths, from = EVENT, onChange, errorAt }: InputFieldsProps) {
  const { inputSchema } = useScript();
  const names = inputNames(inputSchema, inputs);
  const required = Array.isArray(inputSchema?.['required']) ? (inputSchema['required'] as unknown[]) : [];
  return (
    <Stack gap="sm">
      <div>
        <Title order={3} fz="sm">
          Inputs of each run
        </Title>
        <Text size="xs" c="dimmed">
          {names.length === 0 ? (
            'This script takes no inputs.'
          ) : (
            <>
              A fixed value, or one from {from.words}: <Code>{`{{${from.prefix}${from.example}}}`}</Code>,
              alone or within a text. Empty leaves the input out.
            </>
          )}
        </Text>
      </div>
      {names.map((name) => {
        const { title, description, default: usual } = propertyOf(inputSchema, name);
        return (
          <Autocomplete
            key={name}
            label={typeof title === 'string' ? title : name}
            description={typeof description === 'string' ? description : undefined}
            placeholder={usual === undefined ? undefined : `${JSON.stringify(usual)} if left out`}
            withAsterisk={required.includes(name)}
            data={paths.map((path) => `{{${from.prefix}${path}}}`)}
            filter={({ options, search }) => (search.includes('{{') ? options : [])}
            value={inputs[name] ?? ''}
            onChange={(text) => onChange({ ...inputs, [name]: text })}
            error={errorAt(`inputs.${name}`)}
            limit={30}
          />
        );
      })}
    </Stack>
  );
}
