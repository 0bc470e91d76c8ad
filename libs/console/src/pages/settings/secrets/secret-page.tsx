import { type Secret, secretsDelete } from '@gatehouse/client/operations';
import { secretsGetOptions } from '@gatehouse/client/react-query';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';

import { AuditLink } from '../../../app/audit-link.js';
import { usePlace } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { SecretUses } from './secret-uses-section.js';
import { SecretValues } from './secret-values.js';

const LIST = '/w/$workspace/$environment/settings/secrets';

export function SecretPage() {
  const { name } = useParams({ from: `${LIST}/$name` });
  const place = usePlace();
  const { data: secret, isPending, error, refetch } = useQuery(secretsGetOptions({ path: { name } }));
  return (
    <Page
      title={name}
      heading={<span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{name}</span>}
      crumbs={[{ label: 'Secrets', link: { to: LIST, params: place } }]}
      description={
        secret && (
          <>
            Made <Moment at={secret.createdAt} />. {seenBy(secret)}
          </>
        )
      }
      actions={
        secret && (
          <>
            <AuditLink target={secret.id} />
            <DeleteEverywhere name={name} environments={secret.values.length} />
          </>
        )
      }
    >
      {isPending && <Skeleton height={160} aria-hidden />}
      {error && <ProblemNotice error={error} onRetry={refetch} />}
      {secret && (
        <Stack gap="xl">
          <SecretValues secret={secret} />
          <SecretUses name={name} />
        </Stack>
      )}
    </Page>
  );
}

function seenBy({ kind, allowEnv }: Secret): string {
  if (kind === 'aws') return 'AWS keys. No script can read them: requests are signed on their way out.';
  if (kind === 'postgres')
    return 'A sign-in to PostgreSQL. No script can read it: the gate signs in with it.';
  return allowEnv
    ? 'Scripts may read it as an environment variable.'
    : 'No script can read it: it is attached to requests on their way out.';
}

function DeleteEverywhere({ name, environments }: { name: string; environments: number }) {
  const place = usePlace();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const deletion = useMutation({
    mutationFn: () => secretsDelete({ path: { name }, query: { allEnvironments: 'true' } }),
    onSuccess: async () => {
      await navigate({ to: LIST, params: place });
      await refresh('secretsList');
      notifyDone(`The secret ${name} is deleted.`);
    },
    onError: notifyProblem,
  });
  return (
    <DestroyButton
      loading={deletion.isPending}
      onClick={() =>
        confirmDestruction({
          title: `Delete the secret ${name}?`,
          children: (
            <Text size="sm">
              Its values in {environments === 1 ? 'its one environment' : `all ${environments} environments`}{' '}
              are gone for good, and runs that need it fail from now on.
            </Text>
          ),
          confirm: 'Delete everywhere',
          onConfirm: () => deletion.mutate(),
        })
      }
    >
      Delete everywhere
    </DestroyButton>
  );
}
