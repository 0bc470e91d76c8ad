import { scriptSettingsChange } from '@gatehouse/client/operations';
import { scriptSettingsReadOptions, scriptSettingsReadQueryKey } from '@gatehouse/client/react-query';
import { Skeleton, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Section } from '../../../kit/section.js';

const MEANING =
  'When somebody publishes a version, another person who may publish is asked first, and the version that runs ' +
  'stays the old one until they approve. This holds for owners, API keys and agents as well.';

export function PublishingRule() {
  const { administers } = useRights();
  const queries = useQueryClient();
  const settings = useQuery(scriptSettingsReadOptions());
  const change = useMutation({
    mutationFn: (publishNeedsSecondPerson: boolean) =>
      scriptSettingsChange({ body: { publishNeedsSecondPerson } }),
    onSuccess: ({ data }) => queries.setQueryData(scriptSettingsReadQueryKey(), data),
  });

  return (
    <Section title="Scripts">
      {settings.isPending && <Skeleton height={44} aria-hidden />}
      {settings.isError && <ProblemNotice error={settings.error} onRetry={settings.refetch} />}
      {settings.data && administers && (
        <Switch
          label="Publishing takes a second person"
          description={MEANING}
          checked={settings.data.publishNeedsSecondPerson}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
      {settings.data && !administers && (
        <Text size="sm">
          {settings.data.publishNeedsSecondPerson
            ? `Publishing takes a second person. ${MEANING}`
            : 'Whoever may publish a script does so alone. An owner or admin can ask for a second person.'}
        </Text>
      )}
      {change.isError && <ProblemNotice error={change.error} />}
    </Section>
  );
}
