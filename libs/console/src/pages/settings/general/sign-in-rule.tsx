import { signInSettingsChange, type SignInSettingsPatch } from '@gatehouse/client/operations';
import { signInSettingsReadOptions, signInSettingsReadQueryKey } from '@gatehouse/client/react-query';
import { NativeSelect, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';

const FACTOR =
  'Who has a password needs a second factor to act here, also by their tokens, the command line and apps. ' +
  "Who signs in at your company's provider is let in, and API keys go on.";
const STEP_UP =
  'Before people approve something, loosen a rule, or change a secret or the authorities of a host, they confirm that it is them.';

export function SignInRule() {
  const { isOwner } = useRights();
  const queries = useQueryClient();
  const settings = useQuery(signInSettingsReadOptions());
  const change = useMutation({
    mutationFn: (body: SignInSettingsPatch) => signInSettingsChange({ body }),
    onSuccess: ({ data }) => queries.setQueryData(signInSettingsReadQueryKey(), data),
  });
  const { data } = settings;

  return (
    <Section title="Signing in">
      {settings.isPending && <Skeleton height={88} aria-hidden />}
      {settings.isError && <ProblemNotice error={settings.error} onRetry={settings.refetch} />}
      {data && isOwner && (
        <Stack gap="md">
          <Switch
            label="Everybody needs a second factor"
            description={FACTOR}
            checked={data.secondFactorRequired}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ secondFactorRequired: event.currentTarget.checked })}
          />
          <NativeSelect
            label="Confirm before approvals, secrets and authorities"
            description={STEP_UP}
            w={{ base: '100%', xs: 320 }}
            data={choices(data.stepUpMinutes)}
            value={String(data.stepUpMinutes ?? '')}
            disabled={change.isPending}
            onChange={({ currentTarget: { value } }) =>
              change.mutate({ stepUpMinutes: value === '' ? null : Number(value) })
            }
          />
        </Stack>
      )}
      {data && !isOwner && (
        <Text size="sm">
          {data.secondFactorRequired
            ? `Everybody needs a second factor. ${FACTOR}`
            : 'A second factor is optional.'}
          {data.stepUpMinutes !== null && ` ${STEP_UP}`}
        </Text>
      )}
      {change.isError && <ProblemNotice error={change.error} />}
    </Section>
  );
}

/** Those that most want, and the one that is set. */
function choices(minutes: number | null): { value: string; label: string }[] {
  const all = [...new Set([5, 15, ...(minutes === null ? [] : [minutes])])].sort((one, other) => one - other);
  return [
    { value: '', label: 'Not needed' },
    ...all.map((each) => ({ value: String(each), label: `Within ${each} minutes before` })),
  ];
}
