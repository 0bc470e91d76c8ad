import type { Script } from '@gatehouse/client/operations';
import { JsonInput, Select, Stack } from '@mantine/core';
import { useState } from 'react';

import { isJsonObject } from '../../../kit/json-object.js';

type Ask = Script['ask'];

const EXAMPLE = '{"title": "more than 100", "properties": {"amount": {"exclusiveMinimum": 100}}}';
const WHO = [
  { value: 'nobody', label: 'No run, whatever its inputs' },
  { value: 'agents', label: "Agents' runs whose inputs match" },
  { value: 'all', label: 'All runs whose inputs match' },
];

export interface AskFieldProps {
  value: Ask;
  onChange: (ask: Ask) => void;
  error: string | undefined;
}

/** What was typed, which need not be JSON yet. */
function textOf(ask: Ask): string {
  if (ask === null) return EXAMPLE;
  return typeof ask.when === 'string' ? ask.when : JSON.stringify(ask.when, null, 2);
}

/** Runs that wait for a person because of their inputs. */
export function AskField({ value, onChange, error }: AskFieldProps) {
  const [text, setText] = useState(() => textOf(value));
  const change = (who: string, when: string): void => {
    setText(when);
    onChange(who === 'nobody' ? null : askOf(who as 'agents' | 'all', when));
  };
  const who = value?.who ?? 'nobody';
  return (
    <Stack gap="xs">
      <Select
        label="Which inputs a person is asked about"
        description="Whatever the policies say. Changing it where it is set takes an owner or admin."
        allowDeselect={false}
        data={WHO}
        value={who}
        onChange={(chosen) => change(chosen ?? 'nobody', text)}
        error={who === 'nobody' ? error : undefined}
      />
      {who !== 'nobody' && (
        <JsonInput
          label="Condition"
          description="A JSON Schema of the inputs. Its title is told to whoever decides."
          autosize
          minRows={4}
          maxRows={16}
          value={text}
          onChange={(typed) => change(who, typed)}
          error={error}
        />
      )}
    </Stack>
  );
}

/** A text that is no JSON object is sent as it is, and refused in words. */
function askOf(who: 'agents' | 'all', text: string): Ask {
  try {
    const when: unknown = JSON.parse(text);
    if (isJsonObject(when)) return { when, who };
  } catch {
    // Said below.
  }
  return { when: text as unknown as Record<string, unknown>, who };
}
