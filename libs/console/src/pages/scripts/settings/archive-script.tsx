import { publishingPublish, publishingRestore, scriptsArchive } from '@gatehouse/client/operations';
import { Button, Group, Paper, Text, Title } from '@mantine/core';

import { staleAfter } from '../../../app/stale-after.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyUndoable } from '../../../kit/notify-undo.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { useScript } from '../script-context.js';

export function ArchiveScript() {
  const { slug, name, publishedVersion } = useScript();
  const refresh = useRefresh();
  const restore = async (): Promise<string> => {
    await publishingRestore({ path: { slug } });
    const said =
      publishedVersion === null ? `${name} is a draft again.` : await publish(slug, publishedVersion);
    await refresh(...staleAfter('script.changed'));
    return said;
  };
  const { run, busy, problem } = useAct(async () => {
    await scriptsArchive({ path: { slug } });
    await refresh(...staleAfter('script.changed'));
    notifyUndoable(`${name} is archived.`, restore);
  });
  return (
    <Paper withBorder p="md" component="section" aria-label="Archive">
      <Group justify="space-between">
        <div>
          <Title order={2} fz="sm">
            Archive this script
          </Title>
          <Text size="sm" c="dimmed">
            It can no longer be run. Its versions, runs and files stay, and it can be restored.
          </Text>
        </div>
        <Button
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          loading={busy}
          onClick={() =>
            confirmDestruction({
              title: `Archive ${name}?`,
              children: 'Nobody can run it any more, and its schedules and triggers are switched off.',
              confirm: 'Archive',
              onConfirm: () => void run(),
            })
          }
        >
          Archive
        </Button>
      </Group>
      {problem !== null && <ProblemNotice error={problem} />}
    </Paper>
  );
}

/** Archiving takes the published version away. What it switched off stays off. */
async function publish(slug: string, version: number): Promise<string> {
  const { data } = await publishingPublish({ path: { slug }, body: { version } });
  return 'approval' in data
    ? `It is a draft again. That version ${version} is published waits for an approval.`
    : `Version ${version} is published again. Its schedules and triggers stay off.`;
}
