import { Stack } from '@mantine/core';

import { useRights } from '../../../app/use-place.js';
import { Page } from '../../../kit/page.js';
import { DeleteWorkspace } from './delete-workspace.js';
import { PublishingRule } from './publishing-rule.js';
import { SignInRule } from './sign-in-rule.js';
import { WorkspaceName } from './workspace-name.js';

export function GeneralPage() {
  const { isOwner } = useRights();
  return (
    <Page title="General">
      <Stack gap="xl">
        <WorkspaceName />
        <PublishingRule />
        <SignInRule />
        {isOwner && <DeleteWorkspace />}
      </Stack>
    </Page>
  );
}
