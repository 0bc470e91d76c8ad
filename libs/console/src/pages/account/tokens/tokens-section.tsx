import { type PersonalToken, personalTokensRevoke } from '@gatehouse/client/operations';
import { personalTokensListInfiniteOptions } from '@gatehouse/client/react-query';
import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { isProblem } from '../../../api/problem.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { Empty } from '../../../kit/empty.js';
import { type Column, Listing } from '../../../kit/listing.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { Section } from '../../../kit/section.js';
import { usePages } from '../../../kit/use-pages.js';
import { LastUse } from './last-use.js';
import { scopesText } from './scope-words.js';
import { useScopes } from './use-scopes.js';

export function TokensSection() {
  const query = usePages(personalTokensListInfiniteOptions({ query: { limit: 25 } }));
  const columns = useColumns();
  // Where tokens are switched off, there is no such route.
  const switchedOff = isProblem(query.error, 'not_found');
  return (
    <Section
      title="Personal access tokens"
      description="For the command line and your own programs. A token does what you may do, within its scopes."
      actions={
        !switchedOff && (
          <Button variant="default" renderRoot={(props) => <Link to="/account/tokens/new" {...props} />}>
            New token
          </Button>
        )
      }
    >
      {switchedOff ? (
        <Text size="sm">They are switched off on this Gatehouse. Use API keys of a workspace instead.</Text>
      ) : (
        <Listing
          label="Personal access tokens"
          query={query}
          columns={columns}
          empty={
            <Empty title="No token yet">
              Make one for the command line, or for a program that calls the API as you.
            </Empty>
          }
        />
      )}
    </Section>
  );
}

function useColumns(): Column<PersonalToken>[] {
  const queries = useQueryClient();
  const all = useScopes();
  return useMemo(() => {
    const revoke = async (id: string, name: string): Promise<void> => {
      await personalTokensRevoke({ path: { id } }).then(
        () => notifyDone(`${name} is revoked.`),
        notifyProblem,
      );
      await queries.invalidateQueries();
    };
    return [
      {
        id: 'name',
        header: 'Token',
        cell: ({ name, last4, scopes, workspaces }) => (
          <>
            <Text span size="sm" fw={600} className="user-text">
              {name}
            </Text>{' '}
            <Text span size="sm" c="dimmed">
              …{last4}
            </Text>
            <Text size="sm" c="dimmed" className="user-text">
              {scopesText(scopes, all)} in{' '}
              {workspaces === null ? 'all of your workspaces' : workspaces.join(', ')}
            </Text>
          </>
        ),
      },
      {
        id: 'used',
        header: 'Last used',
        cell: (token) => <LastUse {...token} />,
      },
      {
        id: 'revoke',
        header: 'Revoke',
        align: 'right',
        cell: ({ id, name }) => (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Revoke ${name}`}
            onClick={() =>
              confirmDestruction({
                title: `Revoke the token ${name}?`,
                children: 'What uses it is refused from now on. It cannot be brought back.',
                confirm: 'Revoke',
                onConfirm: () => void revoke(id, name),
              })
            }
          >
            Revoke
          </Button>
        ),
      },
    ];
  }, [queries, all]);
}
