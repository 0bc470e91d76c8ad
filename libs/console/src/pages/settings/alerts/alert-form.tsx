import { type Alert, alertsChange, alertsCreate } from '@gatehouse/client/operations';
import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';

import { DialogForm } from '../../../kit/dialog-form.js';
import { problemAt } from '../../../kit/form-problem.js';
import { withChosen } from '../../runs/list/with-chosen.js';
import { type AlertDraft, draftOf, inputOf, NEW_RULE, patchOf } from './alert-draft.js';
import { CHANNEL_WORDS, CONDITION_WORDS } from './alert-words.js';
import { ScheduleSelect } from './schedule-select.js';

const FIELDS = [
  'name',
  'script',
  'schedule',
  'on',
  'slow.seconds',
  'slow.factor',
  'notSucceededFor',
  'destination.url',
  'groupSeconds',
  'quietHours.from',
  'quietHours.to',
];

interface AlertFormProps {
  /** The rule that is changed; left out: a new one is made. */
  rule?: Alert;
  onSaved: () => void;
  onClose: () => void;
}

export function AlertForm({ rule, onSaved, onClose }: AlertFormProps) {
  const form = useForm<AlertDraft>({ initialValues: rule ? draftOf(rule) : NEW_RULE });
  const timeZone = rule?.quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const saving = useMutation({
    mutationFn: async (draft: AlertDraft) =>
      rule
        ? alertsChange({ path: { id: rule.id }, body: patchOf(rule, draft, timeZone) })
        : alertsCreate({ body: inputOf(draft, timeZone) }),
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  const at = (path: string) => problemAt(saving.error, path);
  const { channel, schedule } = form.values;
  const keepsAddress = rule?.destination.channel === channel;
  return (
    <DialogForm
      submitLabel={rule ? 'Save' : 'Make the rule'}
      onSubmit={() => saving.mutate(form.values)}
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
      {!rule && (
        <>
          <TextInput
            label="Script"
            description="Its slug. Empty: all scripts."
            maxLength={100}
            disabled={schedule !== null}
            {...form.getInputProps('script')}
            error={at('script')}
          />
          <ScheduleSelect {...form.getInputProps('schedule')} error={at('schedule')} />
        </>
      )}
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
      <NumberInput
        label="A run that takes so many times what is usual"
        description="Of what 95 % of the newest successes of its script took. Empty: not told."
        min={1}
        max={100}
        {...form.getInputProps('slowFactor')}
        error={at('slow.factor')}
      />
      <TextInput
        label="No success for"
        description="A number with m, h or d, such as 26h. It takes a script or a schedule. Empty: not told."
        {...form.getInputProps('notSucceededFor')}
        error={at('notSucceededFor')}
      />
      <Select
        label="Where"
        allowDeselect={false}
        data={withChosen(
          Object.entries(CHANNEL_WORDS).map(([value, label]) => ({ value, label })),
          channel,
        )}
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
            (channel === 'pagerduty'
              ? 'https://events.pagerduty.com/v2/enqueue?routing_key=… with your integration key. '
              : 'The https address that takes messages. ') +
            (keepsAddress ? 'Empty: it stays as it is.' : 'It is not shown again.')
          }
          type="url"
          required={!keepsAddress}
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
        description={`Such as 22:00, by the clock of ${timeZone}. Empty: never quiet.`}
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
