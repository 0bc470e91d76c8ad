import type { Agent } from '@gatehouse/client/operations';
import { Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import { BudgetFields } from '../../kit/budget-fields.js';
import { problemAt } from '../../kit/form-problem.js';
import { ScriptsPicker } from './scripts-picker.js';

export type AgentValues = Pick<
  Agent,
  'slug' | 'name' | 'instructions' | 'scripts' | 'enabled' | 'approvalPolicy' | 'budget'
> & {
  /** Empty: the one that the operator chose. */
  model: string;
};

export const AGENT_FIELDS = ['slug', 'name', 'instructions', 'model', 'scripts', 'budget'] as const;

export const NEW_AGENT: AgentValues = {
  slug: '',
  name: '',
  instructions: '',
  model: '',
  scripts: [],
  enabled: true,
  approvalPolicy: 'none',
  budget: null,
};

export function agentChange({ slug: _, model, ...values }: AgentValues) {
  return { ...values, model: model.trim() === '' ? null : model };
}

export interface AgentFieldsProps {
  form: UseFormReturnType<AgentValues>;
  error: unknown;
  isNew?: boolean;
}

export function AgentFields({ form, error, isNew = false }: AgentFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        {...form.getInputProps('name')}
        error={problemAt(error, 'name')}
      />
      {isNew && (
        <TextInput
          label="Slug"
          description="Its address. Lower-case letters, digits and dashes; it cannot be changed."
          required
          maxLength={100}
          {...form.getInputProps('slug')}
          error={problemAt(error, 'slug')}
        />
      )}
      <Textarea
        label="Instructions"
        description="What it is for, and how it should answer."
        autosize
        minRows={4}
        maxRows={14}
        maxLength={20_000}
        {...form.getInputProps('instructions')}
        error={problemAt(error, 'instructions')}
      />
      <ScriptsPicker
        value={form.values.scripts}
        onChange={(scripts) => form.setFieldValue('scripts', scripts)}
        error={problemAt(error, 'scripts')}
      />
      <TextInput
        label="Model"
        description="Leave it empty for the one that the operator chose for all agents."
        maxLength={200}
        {...form.getInputProps('model')}
        error={problemAt(error, 'model')}
      />
      <Switch
        label="Always asks"
        description="Each run that it starts waits for a person. Taking that back takes an owner or admin."
        checked={form.values.approvalPolicy === 'always'}
        onChange={({ currentTarget }) =>
          form.setFieldValue('approvalPolicy', currentTarget.checked ? 'always' : 'none')
        }
      />
      <BudgetFields
        label="Budget"
        value={form.values.budget}
        onChange={(budget) => form.setFieldValue('budget', budget)}
        error={problemAt(error, 'budget')}
      />
      <Switch label="Answers messages" {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </>
  );
}
