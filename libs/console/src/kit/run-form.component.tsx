import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { Problem } from '../api/problem.js';
import type { RunFormProps } from './run-form/props.js';
import { RunForm } from './run-form.js';
import { draw } from './testing/draw.js';

const GREETING = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2 },
    times: { type: 'integer', maximum: 9 },
  },
};

it('sends what was typed, by its types', async () => {
  const { screen, sent } = await drawForm({ schema: GREETING });
  await screen.getByRole('textbox', { name: 'name' }).fill('Ada');
  await screen.getByRole('textbox', { name: 'times' }).fill('3');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent).toEqual([{ name: 'Ada', times: 3 }]);
});

it('says at its field what does not fit, goes there, and sends nothing', async () => {
  const { screen, sent } = await drawForm({ schema: GREETING });
  const name = screen.getByRole('textbox', { name: 'name' });
  await name.fill('A');
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.element(name).toBeInvalid();
  await expect.element(name).toHaveFocus();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Some fields need another look.');
  await name.fill('Ada');
  await expect.element(name).toBeValid();
  expect(sent).toEqual([]);
});

it('shows at its field what the service has refused, until it is changed', async () => {
  const details = [{ path: 'inputs.name', message: 'is taken' }];
  const problem = new Problem({ status: 400, code: 'invalid_request', message: 'Wrong.', details });
  const { screen, sent } = await drawForm({ schema: GREETING, problem });
  const name = screen.getByRole('textbox', { name: 'name' });
  await name.fill('Ada');
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.element(screen.getByText('Is taken.')).toBeVisible();
  await expect.element(name).toBeInvalid();
  await name.fill('Bob');
  await expect.element(name).toBeValid();
  expect(sent).toEqual([{ name: 'Ada' }]);
});

it('stays awake and sends where a pattern takes forever', async () => {
  const schema = { type: 'object', properties: { word: { type: 'string', pattern: '^(a+)+$' } } };
  const { screen, sent } = await drawForm({ schema });
  const word = `${'a'.repeat(40)}!`;
  await screen.getByRole('textbox', { name: 'word' }).fill(word);
  await screen.getByRole('button', { name: 'Run' }).click();
  // The browser itself draws on meanwhile.
  await expect.element(screen.getByRole('textbox', { name: 'word' })).toHaveValue(word);
  await expect.poll(() => sent).toEqual([{ word }]);
});

it('says that a script takes no inputs', async () => {
  const { screen } = await drawForm({ schema: null });
  await expect.element(screen.getByText('This script takes no inputs.')).toBeVisible();
});

type Given = Pick<RunFormProps, 'schema' | 'problem'>;

async function drawForm(given: Given) {
  const sent: unknown[] = [];
  const screen = await draw(<Filled {...given} onSent={(inputs) => sent.push(inputs)} />);
  await expect.element(screen.getByRole('button', { name: 'Run' })).toBeVisible();
  return { screen, sent };
}

/** The service's problem comes when the form has been sent. */
function Filled({ schema, problem, onSent }: Given & { onSent: (inputs: unknown) => void }) {
  const [inputs, setInputs] = useState<Record<string, unknown>>({});
  const [isSent, setSent] = useState(false);
  return (
    <RunForm
      schema={schema}
      inputs={inputs}
      onInputs={setInputs}
      problem={isSent ? problem : null}
      submitLabel="Run"
      onSubmit={(typed) => {
        onSent(typed);
        setSent(true);
      }}
    />
  );
}
