import { type ApiKey, apiKeysRevoke } from '@gatehouse/client/operations';
import { apiKeysListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';

import { confirmDestruction } from '../../../kit/confirm.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { Empty } from '../../../kit/empty.js';
import { FormDialog } from '../../../kit/form-dialog.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { Page } from '../../../kit/page.js';
import { usePages } from '../../../kit/use-pages.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { LastUse } from '../../account/tokens/last-use.js';
import { scopesText } from '../../account/tokens/scope-words.js';
import { useScopes } from '../../account/tokens/use-scopes.js';
import { NewApiKey } from './new-api-key.js';

export function ApiKeysPage() {
  const [opened, dialog] = useDisclosure();
  const all = useScopes();
  const query = usePages(apiKeysListInfiniteOptions({ query: { limit: 25 } }));
  const columns = useMemo(
    (): Column<ApiKey>[] => [
      {
        id: 'name',
        header: 'Key',
        cell: ({ name, last4, scopes }) => (
          <>
            <Text fw={600} size="sm" className="user-text">
              {name}
            </Text>
            <Text size="sm" c="dimmed">
              …{last4}
            </Text>
            {scopes !== null && (
              <Text size="sm" c="dimmed" className="user-text">
                Only: {scopesText(scopes, all)}
              </Text>
            )}
          </>
        ),
      },
      {
        id: 'environment',
        header: 'Acts in',
        cell: ({ environment }) => <span className="user-text">{environment ?? 'all environments'}</span>,
      },
      {
        id: 'used',
        header: 'Last used',
        align: 'right',
        cell: (key) => <LastUse {...key} />,
      },
      {
        id: 'created',
        header: 'Made',
        align: 'right',
        wideOnly: true,
        cell: ({ createdAt }) => <Moment at={createdAt} />,
      },
      { id: 'actions', header: 'Actions', align: 'right', cell: (key) => <Revoke apiKey={key} /> },
    ],
    [all],
  );
  return (
    <Page
      title="API keys"
      description="A key acts for the workspace, not for a person, and may do what an admin may, except decide about people and approvals. Scopes make it less. For something of your own, make a personal token in your account."
      actions={<Button onClick={dialog.open}>New API key</Button>}
    >
      <Listing
        label="API keys"
        query={query}
        columns={columns}
        empty={
          <Empty title="No API key yet">
            Make one for a server or a pipeline that starts runs or uploads versions.
          </Empty>
        }
      />
      <FormDialog title="New API key" size="lg" opened={opened} onClose={dialog.close}>
        <NewApiKey onClose={dialog.close} />
      </FormDialog>
    </Page>
  );
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const refresh = useRefresh();
  const revocation = useMutation({
    mutationFn: () => apiKeysRevoke({ path: { id } }),
    onSuccess: async () => {
      await refresh('apiKeysList');
      notifyDone(`The key ${name} is revoked.`);
    },
    onError: notifyProblem,
  });
  return (
    <DestroyButton
      quiet
      loading={revocation.isPending}
      label={`Revoke ${name}`}
      onClick={() =>
        confirmDestruction({
          title: `Revoke the API key ${name}?`,
          children: 'What uses it is refused from now on. A revoked key cannot be brought back.',
          confirm: 'Revoke',
          onConfirm: () => revocation.mutate(),
        })
      }
    >
      Revoke
    </DestroyButton>
  );
}
