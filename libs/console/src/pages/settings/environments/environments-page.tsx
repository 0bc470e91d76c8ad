import { environmentsCreate } from '@gatehouse/client/operations';
import { environmentsListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';

import { useRights } from '../../../app/use-place.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { notifyDone } from '../../../kit/notify.js';
import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { EnvironmentCard } from './environment-card.js';
import { EnvironmentForm } from './environment-form.js';

export function EnvironmentsPage() {
  const { administers } = useRights();
  const refresh = useRefresh();
  const [opened, dialog] = useDisclosure();
  const query = usePages(environmentsListInfiniteOptions({ query: { limit: 25 } }));
  const environments = query.data?.pages.flatMap(({ items }) => items) ?? [];
  environments.sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  return (
    <Page
      title="Environments"
      description="The same scripts with other secrets, schedules and rules, such as for trying things out."
      actions={administers && <Button onClick={dialog.open}>New environment</Button>}
    >
      {query.isPending && <Skeleton height={120} aria-hidden />}
      {query.isError && <ProblemNotice error={query.error} onRetry={query.refetch} />}
      <Stack gap="sm">
        {environments.map((environment) => (
          <EnvironmentCard key={environment.id} environment={environment} />
        ))}
      </Stack>
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
      <FormDialog title="New environment" opened={opened} onClose={dialog.close}>
        <EnvironmentForm
          submitLabel="Make the environment"
          save={(body) => environmentsCreate({ body })}
          onSaved={({ name }) => {
            notifyDone(`The environment ${name} is made. It has no secrets yet.`);
            void refresh('environmentsList');
          }}
          onClose={dialog.close}
        />
      </FormDialog>
    </Page>
  );
}
