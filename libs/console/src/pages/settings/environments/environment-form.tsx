import type { Environment, EnvironmentInput } from '@gatehouse/client/operations';
import { Radio, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { AGENTS_ALLOWED, type ApprovalPolicy, POLICIES, POLICY_LABELS, POLICY_MEANINGS } from './policies.js';

type Body = Required<Pick<EnvironmentInput, 'name' | 'approvalPolicy' | 'agentsAllowed' | 'runsOn'>>;

export interface EnvironmentFormProps {
  environment?: Environment;
  submitLabel: string;
  save: (body: Body) => Promise<unknown>;
  onSaved: (body: Body) => void;
  onClose: () => void;
}

export function EnvironmentForm({ environment, submitLabel, save, onSaved, onClose }: EnvironmentFormProps) {
  const form = useForm<Body>({
    initialValues: {
      name: environment?.name ?? '',
      approvalPolicy: (environment?.approvalPolicy ?? 'none') satisfies ApprovalPolicy,
      agentsAllowed: environment?.agentsAllowed ?? true,
      runsOn: environment?.runsOn ?? [],
    },
  });
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (_, body) => {
      onSaved(body);
      onClose();
    },
  });
  return (
    <DialogForm
      submitLabel={submitLabel}
      onSubmit={() => saving.mutate(form.values)}
      onCancel={onClose}
      busy={saving.isPending}
      error={saving.error}
      fields={['name', 'runsOn']}
    >
      <TextInput
        label="Name"
        description="Letters, digits, spaces, dots, dashes and underscores. Requests name it in x-environment."
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
        error={problemAt(saving.error, 'name')}
      />
      <Radio.Group
        label="Approval"
        description="A script may have a stricter rule of its own, which then counts."
        {...form.getInputProps('approvalPolicy')}
      >
        <Stack gap="xs" mt="xs">
          {POLICIES.map((policy) => (
            <Radio
              key={policy}
              value={policy}
              label={POLICY_LABELS[policy]}
              description={POLICY_MEANINGS[policy]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <TagsInput
        label="Runs on workers with"
        description="The tags that a worker must carry, all of them, such as eu-vpc. None: as each version says."
        splitChars={[',', ' ']}
        acceptValueOnBlur
        {...form.getInputProps('runsOn')}
        error={problemAt(saving.error, 'runsOn')}
      />
      <Switch label={AGENTS_ALLOWED} {...form.getInputProps('agentsAllowed', { type: 'checkbox' })} />
    </DialogForm>
  );
}
