import { TextInput } from '@mantine/core';
import type { FieldProps } from '@rjsf/utils';
import { useState } from 'react';

import { exactNumber, looksLikeNumber } from './exact-number.js';
import { inputParts } from './field-parts.js';

/**
 * A number as it was typed: what is no number, or none that can be kept exactly, stays in the field and is refused there.
 * Where the schema takes text as well, it is sent as text.
 */
export function NumberField(props: FieldProps<unknown>) {
  const { schema, registry, formData, onChange, fieldPathId } = props;
  const [text, setText] = useState(textOf(formData));
  const StringField = registry.fields['StringField']!;
  if (schema.enum || registry.schemaUtils.isSelect(schema)) return <StringField {...props} />;

  const takesText = [schema.type].flat().includes('string');
  const shown = same(valueOf(text), formData) ? text : textOf(formData);
  const parts = inputParts(props as FieldProps);
  const change = (typed: string): void => {
    setText(typed);
    onChange(valueOf(typed), fieldPathId.path);
  };
  const inexact = !takesText && typeof formData === 'string' && looksLikeNumber(formData);
  return (
    <TextInput
      {...parts}
      error={inexact ? 'This number has too many digits to be kept exactly.' : parts.error}
      inputMode={takesText ? 'text' : 'decimal'}
      autoComplete="off"
      maw={takesText ? undefined : { xs: 320 }}
      value={shown}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function valueOf(text: string): number | string | undefined {
  if (text.trim() === '') return undefined;
  return exactNumber(text) ?? text;
}

function textOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

function same(one: unknown, other: unknown): boolean {
  return one === (other ?? undefined);
}
