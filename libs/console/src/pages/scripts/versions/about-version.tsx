import { type ScriptVersion, versionsArchive } from '@gatehouse/client/operations';
import { Button, Code, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { durationText, Moment } from '../../../kit/moment.js';
import { notifyProblem } from '../../../kit/notify.js';
import { saveAs } from '../../../kit/save-as.js';
import { sizeText } from '../../../kit/size-text.js';
import { useAct } from '../../../kit/use-act.js';
import { useScript } from '../script-context.js';
import { inputLines } from './input-lines.js';
import { permissionsOf } from './permissions.js';
import { behaviourLines } from './version-lines.js';
import { WithNames } from './with-names.js';

export function AboutVersion({ version }: { version: ScriptVersion }) {
  const inputs = inputLines(version.inputSchema);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Part title="What it may do">
        <Sentences lines={permissionsOf(version)} />
      </Part>
      <Part title="How it runs">
        <Code block className="user-text" style={{ whiteSpace: 'pre-wrap' }}>
          {version.command}
        </Code>
        {version.handler && (
          <Text size="sm">
            Each run calls the function that this file exports. The output is what it returns.
          </Text>
        )}
        <Text size="sm">
          At most {durationText(version.timeoutSeconds * 1000)}
          {version.outputSchema && ', and what it returns must fit a schema'}.
        </Text>
        {behaviourLines(version).map((line) => (
          <Text key={line} size="sm" component="div" className="user-text">
            It <WithNames text={line} />.
          </Text>
        ))}
        {version.build !== null && (
          <Text size="sm" component="div">
            Installed by <Code>{version.build}</Code>
          </Text>
        )}
      </Part>
      <Part title="Inputs">
        {inputs.length === 0 ? (
          <Text size="sm" c="dimmed">
            It takes none.
          </Text>
        ) : (
          <Sentences lines={inputs} />
        )}
      </Part>
      <Part title="Archive">
        <Text size="sm">
          {sizeText(version.archiveBytes)} with its dependencies.{' '}
          {version.publishedAt && (
            <>
              Last published <Moment at={version.publishedAt} />.
            </>
          )}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          SHA-256 {version.archiveSha256}
        </Text>
        <Download number={version.number} />
      </Part>
    </SimpleGrid>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="xs">
        <Title order={3} size="h4" fz="sm">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

function Sentences({ lines }: { lines: string[] }) {
  return (
    <List size="sm" spacing={4}>
      {lines.map((line) => (
        <List.Item key={line} className="user-text">
          <WithNames text={line} />
        </List.Item>
      ))}
    </List>
  );
}

/** Asked for with the workspace's name, which a plain link cannot carry. */
function Download({ number }: { number: number }) {
  const { slug } = useScript();
  const { run, busy } = useAct(async () => {
    try {
      const { data } = await versionsArchive({ path: { slug, number }, parseAs: 'blob' });
      saveAs(data as Blob, `${slug}-${number}.tar.gz`);
    } catch (error) {
      notifyProblem(error);
    }
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={busy}
      onClick={() => void run()}
      style={{ alignSelf: 'flex-start' }}
    >
      Download
    </Button>
  );
}
