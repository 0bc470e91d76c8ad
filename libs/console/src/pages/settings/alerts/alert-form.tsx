import { type AlertInput, alertsCreate } from '@gatehouse/client/operations';
import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { useConfirmed } from '../../../kit/confirm-password.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { CHANNEL_WORDS, CONDITION_WORDS, type Condition } from './alert-words.js';

interface Values {
  name: string;
  script: string;
  on: Condition[];
  slowSeconds: number | string;
  notSucceededFor: string;
  channel: string;
  url: string;
  to: string[];
  groupSeconds: number | string;
  quietFrom: string;
  quietTo: string;
}

const FIELDS = [
  'name',
  'script',
  'on',
  'slow.seconds',
  'notSucceededFor',
  'destination.url',
  'groupSeconds',
  'quietHours.from',
  'quietHours.to',
];

function bodyOf(values: Values): AlertInput {
  const { name, script, on, slowSeconds, notSucceededFor, channel, url, to } = values;
  const { groupSeconds, quietFrom, quietTo } = values;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    name,
    script: script === '' ? null : script,
    on,
    slow: typeof slowSeconds === 'number' ? { seconds: slowSeconds, factor: null } : null,
    notSucceededFor: notSucceededFor === '' ? null : notSucceededFor,
    destination: channel === 'mail' ? { channel, to } : { channel, url },
    ...(typeof groupSeconds === 'number' && { groupSeconds }),
    quietHours: quietFrom === '' && quietTo === '' ? null : { from: quietFrom, to: quietTo, timeZone },
  };
}

const create = (body: AlertInput) => alertsCreate({ body });

export function AlertForm({ onSaved, onClose }: { onSaved: () => void; onClose: () => void }) {
  const form = useForm<Values>({
    initialValues: {
      name: '',
      script: '',
      on: ['firstFailure', 'recovered'],
      slowSeconds: '',
      notSucceededFor: '',
      channel: 'slack',
      url: '',
      to: [],
      groupSeconds: 300,
      quietFrom: '',
      quietTo: '',
    },
  });
  const confirmedCreate = useConfirmed(create);
  const saving = useMutation({
    mutationFn: confirmedCreate,
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  const at = (path: string) => problemAt(saving.error, path);
  const { channel } = form.values;
  return (
    <DialogForm
      submitLabel="Make the rule"
      onSubmit={() => saving.mutate(bodyOf(form.values))}
      onCancel={onClose}
      busy={saving.isPending}
      error={saving.error}
      fields={FIELDS}
    >
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
        error={at('name')}
      />
      <TextInput
        label="Script"
        description="Its slug. Empty: all scripts."
        maxLength={100}
        {...form.getInputProps('script')}
        error={at('script')}
      />
      <MultiSelect
        label="Tell of"
        data={Object.entries(CONDITION_WORDS).map(([value, label]) => ({ value, label }))}
        hidePickedOptions
        {...form.getInputProps('on')}
        error={at('on')}
      />
      <NumberInput
        label="A run that takes longer than"
        description="Seconds. Empty: not told."
        min={1}
        max={604_800}
        allowDecimal={false}
        {...form.getInputProps('slowSeconds')}
        error={at('slow.seconds')}
      />
      <TextInput
        label="No success for"
        description="A number with m, h or d, such as 26h. It takes a script. Empty: not told."
        {...form.getInputProps('notSucceededFor')}
        error={at('notSucceededFor')}
      />
      <Select
        label="Where"
        allowDeselect={false}
        data={Object.entries(CHANNEL_WORDS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('channel')}
        error={at('destination.channel')}
      />
      {channel === 'mail' ? (
        <TagsInput
          label="Members"
          description="Their addresses. Empty: all owners and admins."
          {...form.getInputProps('to')}
        />
      ) : (
        <TextInput
          label="Address"
          description={
            channel === 'pagerduty'
              ? 'https://events.pagerduty.com/v2/enqueue?routing_key=… with your integration key. It is not shown again.'
              : 'The https address that takes messages. It is not shown again.'
          }
          type="url"
          required
          maxLength={2048}
          autoComplete="off"
          {...form.getInputProps('url')}
          error={at('destination.url')}
        />
      )}
      <NumberInput
        label="One message every"
        description="Seconds. What happens meanwhile is counted in the next one."
        min={10}
        max={3600}
        allowDecimal={false}
        {...form.getInputProps('groupSeconds')}
        error={at('groupSeconds')}
      />
      <TextInput
        label="Quiet from"
        description="Such as 22:00, by the clock of this browser. Empty: never quiet."
        {...form.getInputProps('quietFrom')}
        error={at('quietHours.from')}
      />
      <TextInput
        label="Quiet to"
        description="Such as 07:00."
        {...form.getInputProps('quietTo')}
        error={at('quietHours.to')}
      />
    </DialogForm>
  );
}
