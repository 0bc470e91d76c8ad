import { JsonInput } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import { useState } from 'react';

import { parseExactJson } from './exact-number.js';
import { type FormContext, inputParts } from './field-parts.js';

type Reading = { value: unknown } | { problem: string };

/** JSON, for inputs whose shape the schema leaves open. */
export function JsonField(props: FieldProps<unknown>) {
  const { formData, onChange, fieldPathId, registry, schema } = props;
  const [text, setText] = useState(() => textOf(formData));
  const reading = readJson(text);
  const isOwn = 'problem' in reading || JSON.stringify(reading.value) === JSON.stringify(formData);
  const parts = inputParts(props as FieldProps);
  const change = (typed: string): void => {
    setText(typed);
    const read = readJson(typed);
    const { block } = registry.formContext as FormContext;
    block(fieldPathId.$id, 'problem' in read ? read.problem : null);
    // The text itself is not what is meant, so what was there before stays until it can be read.
    if (!('problem' in read)) onChange(read.value, fieldPathId.path);
  };
  return (
    <JsonInput
      {...parts}
      // The whole of the inputs has no name of its own.
      label={parts.label || (fieldPathId.path.length === 0 ? 'Inputs' : undefined)}
      description={parts.description ?? hintOf([schema.type].flat()[0])}
      error={'problem' in reading ? reading.problem : parts.error}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={isOwn ? text : textOf(formData)}
      onChange={change}
    />
  );
}

function hintOf(type: unknown): string {
  if (type === 'object') return 'A JSON object, such as {"city": "Berlin"}';
  if (type === 'array') return 'A JSON list, such as ["Berlin", 3]';
  return 'Any JSON: text stands in quotes';
}

function readJson(text: string): Reading {
  if (text.trim() === '') return { value: undefined };
  try {
    const { value, inexact } = parseExactJson(text);
    if (inexact !== null) return { problem: `${inexact} cannot be kept exactly. Put it in quotes.` };
    return { value };
  } catch (error) {
    return { problem: `This is not JSON yet: ${(error as Error).message}` };
  }
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
