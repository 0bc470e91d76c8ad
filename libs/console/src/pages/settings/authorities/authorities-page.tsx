import { hostAuthoritiesListOptions } from '@gatehouse/client/react-query';
import { Button, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';

import { useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { AuthoritiesForm } from './authorities-form.js';
import { HostCard } from './host-card.js';

export function AuthoritiesPage() {
  const { isOwner } = useRights();
  const [opened, dialog] = useDisclosure();
  const { data, isPending, isError, error, refetch } = useQuery(hostAuthoritiesListOptions());
  return (
    <Page
      title="Authorities"
      description="Certificates of these hosts are checked by authorities of your own, and by no other. This holds in all environments, by HTTPS, TLS and PostgreSQL."
      actions={isOwner && <Button onClick={dialog.open}>Set authorities</Button>}
    >
      {isPending && <Skeleton height={88} aria-hidden />}
      {isError && <ProblemNotice error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <Empty title="Every host is checked by public authorities">
          {isOwner ? null : 'Owners set others.'}
        </Empty>
      )}
      <Stack gap="xs">
        {data?.items.map((item) => (
          <HostCard key={item.host} item={item} />
        ))}
      </Stack>
      <FormDialog title="Set authorities" opened={opened} onClose={dialog.close}>
        <AuthoritiesForm onClose={dialog.close} />
      </FormDialog>
    </Page>
  );
}
