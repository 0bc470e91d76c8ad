import { Input, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { Suspense, useState } from 'react';

import { lazily } from '../../../kit/lazily.js';
import type { DraftSettings } from './draft.js';
import { draftSchema } from './draft-schema.js';
import { SchemaField } from './schema-field.js';

const SchemaBuilder = lazily(async () => ({
  default: (await import('./schema-builder.js')).SchemaBuilder,
}));

interface InputSchemaFieldProps {
  settings: Pick<DraftSettings, 'inputSchema' | 'command'>;
  onInputSchema: (inputSchema: string) => void;
  problem: string | undefined;
}

/** The inputs, as rows or as the JSON Schema that these are. */
export function InputSchemaField({ settings, onInputSchema, problem }: InputSchemaFieldProps) {
  const [wanted, setWanted] = useState('rows');
  const schema = draftSchema(settings);
  const isBroken = schema instanceof Error;
  const shown = isBroken ? 'json' : wanted;
  return (
    <Stack gap="xs">
      <Input.Wrapper
        label="Inputs"
        labelElement="div"
        description="The form for a run is made of them. Left empty, each {name} of the command is a text."
      >
        <SegmentedControl
          size="xs"
          mt={6}
          aria-label="Inputs as"
          data={[
            { value: 'rows', label: 'Rows', disabled: isBroken },
            { value: 'json', label: 'JSON' },
          ]}
          value={shown}
          onChange={setWanted}
        />
      </Input.Wrapper>
      {shown === 'rows' && !isBroken ? (
        <Suspense fallback={<Skeleton height="8rem" />}>
          <SchemaBuilder
            schema={schema ?? {}}
            onSchema={(next) => onInputSchema(JSON.stringify(next, null, 2))}
          />
        </Suspense>
      ) : (
        <SchemaField
          label="Input schema"
          description="JSON Schema."
          value={settings.inputSchema}
          onChange={onInputSchema}
          problem={problem}
        />
      )}
    </Stack>
  );
}
