import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { draw } from '../../../kit/testing/draw.js';
import { SchemaBuilder } from './schema-builder.js';

it('takes a number with decimals, key by key', async () => {
  let schema: Record<string, unknown> = { properties: { rate: { type: 'number', default: 3 } } };
  function Built() {
    const [shown, setShown] = useState(schema);
    return <SchemaBuilder schema={shown} onSchema={(next) => setShown((schema = next))} />;
  }
  const screen = await draw(<Built />);
  const field = screen.getByRole('textbox', { name: 'Begins as' });
  await field.clear();
  await userEvent.type(field, '-1.50');
  await expect.element(field).toHaveValue('-1.50');
  expect(schema['properties']).toEqual({ rate: { type: 'number', default: -1.5 } });
  await userEvent.tab();
  await expect.element(field).toHaveValue('-1.5');
});
