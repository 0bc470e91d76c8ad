import { Stack } from '@mantine/core';

import { useRights } from '../../../app/use-place.js';
import { Page } from '../../../kit/page.js';
import { Invitations } from './invitations.js';
import { MemberList } from './member-list.js';

export function MembersPage() {
  const { administers } = useRights();
  return (
    <Page title="Members" description="Who works in this workspace, and as what.">
      <Stack gap="xl">
        <MemberList />
        {administers && <Invitations />}
      </Stack>
    </Page>
  );
}
