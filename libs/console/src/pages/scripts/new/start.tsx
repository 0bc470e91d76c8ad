import { scriptTemplatesListOptions } from '@gatehouse/client/react-query';
import { Button, FileButton, Group, SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import IconFolderUp from 'icon:folder-up';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';

import { ProblemNotice } from '../../../kit/problem-notice.js';
import { type Draft, newDraft } from './draft.js';
import { type LocalFile, chosenFiles, entriesOf, localFiles, scriptFiles } from './dropped-files.js';
import { FolderButton } from './folder-button.js';
import { LEFT_OUT } from './folder.js';
import classes from './new.module.css';
import { TEMPLATES, extensionDraft, templateDraft } from './templates.js';

/** How a script begins: with files that are there already, or with a template. */
export function Start({ onBegin }: { onBegin: (draft: Draft, leftOut: string[]) => void }) {
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const { data: added } = useQuery({ ...scriptTemplatesListOptions(), staleTime: Infinity });

  const take = async (find: () => Promise<LocalFile[]>): Promise<void> => {
    setProblem(null);
    setBusy(true);
    try {
      const { files, leftOut } = await scriptFiles(await find());
      const readme = files.find(({ path }) => /^readme\.md$/i.test(path))?.content;
      onBegin(newDraft(files, { readme: typeof readme === 'string' ? readme : '' }), leftOut);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const entries = entriesOf(event.dataTransfer.items);
    if (entries.length > 0) void take(() => localFiles(entries));
  };

  return (
    <Stack gap="lg">
      <section aria-labelledby="start-files">
        <Title order={2} id="start-files" mb="xs">
          From files
        </Title>
        <div
          className={classes['drop']}
          data-over={isOver || undefined}
          onDragOver={(event) => (event.preventDefault(), setOver(true))}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <IconFolderUp size={28} aria-hidden />
          <Text>Drop a folder or a .tar.gz here</Text>
          <Group gap="xs" justify="center">
            <FolderButton
              loading={busy}
              onChoose={(files) => void take(() => Promise.resolve(chosenFiles(files)))}
            />
            <FileButton
              accept=".tgz,.tar.gz,application/gzip"
              onChange={(file) => file && void take(() => Promise.resolve([{ path: file.name, file }]))}
            >
              {(props) => (
                <Button variant="default" disabled={busy} {...props}>
                  Choose a .tar.gz
                </Button>
              )}
            </FileButton>
          </Group>
          <Text size="sm" c="dimmed" ta="center">
            At most 10 MB packed, and 20,000 files. {LEFT_OUT.slice(0, -2).join(', ')} and {LEFT_OUT.at(-2)}{' '}
            are left out: packages are installed from requirements.txt, pyproject.toml or package.json.
          </Text>
        </div>
        {problem !== null && <ProblemNotice error={problem} />}
      </section>
      <section aria-labelledby="start-template">
        <Title order={2} id="start-template" mb="xs">
          From a template
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
          {TEMPLATES.map((template) => (
            <TemplateButton
              key={template.id}
              name={template.name}
              description={template.description}
              onClick={() => onBegin(templateDraft(template), [])}
            />
          ))}
          {added?.items.map((template) => (
            <TemplateButton
              key={template.name}
              name={template.title}
              description={template.description}
              onClick={() => onBegin(extensionDraft(template), [])}
            />
          ))}
        </SimpleGrid>
      </section>
    </Stack>
  );
}

interface TemplateButtonProps {
  name: string;
  description: string | null;
  onClick: () => void;
}

function TemplateButton({ name, description, onClick }: TemplateButtonProps) {
  return (
    <UnstyledButton className={classes['template']} onClick={onClick}>
      <Text fw={600}>{name}</Text>
      {description !== null && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </UnstyledButton>
  );
}
