import { publishingRestoreMutation } from '@gatehouse/client/react-query';
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { staleAfter } from '../../app/stale-after.js';
import { usePlace, useRights } from '../../app/use-place.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { useRefresh } from '../../kit/use-refresh.js';
import { useScript } from './script-context.js';

/** Why a script cannot be run, and what would change that. */
export function ScriptNotice() {
  const { status } = useScript();
  if (status === 'archived') return <ArchivedNotice />;
  if (status === 'draft') return <DraftNotice />;
  return null;
}

function ArchivedNotice() {
  const { slug, name } = useScript();
  const { edits } = useRights();
  const refresh = useRefresh();
  const restore = useMutation({
    ...publishingRestoreMutation(),
    onSuccess: async () => {
      await refresh(...staleAfter('script.changed'));
      notifyDone(`${name} is a draft again. Publish a version to run it.`);
    },
    onError: notifyProblem,
  });
  return (
    <Alert color="gray" title="Archived">
      <Group justify="space-between">
        <Text size="sm">It cannot be run or changed. Its versions, runs and files stay readable.</Text>
        {edits && (
          <Button
            size="compact-sm"
            variant="default"
            loading={restore.isPending}
            onClick={() => restore.mutate({ path: { slug } })}
          >
            Restore
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function DraftNotice() {
  const { slug } = useScript();
  const place = usePlace();
  const { edits } = useRights();
  return (
    <Alert color="gray" title="Draft">
      <Text size="sm">
        No version is published, so it cannot be run yet.{' '}
        {edits && (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                to="/w/$workspace/$environment/scripts/$slug/versions"
                params={{ ...place, slug }}
                {...props}
              />
            )}
          >
            Publish a version
          </Anchor>
        )}
      </Text>
    </Alert>
  );
}
