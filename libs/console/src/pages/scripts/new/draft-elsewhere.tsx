import { Accordion, Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';

import { CodeView } from '../../../kit/code-view.js';
import { type Crumb, Page } from '../../../kit/page.js';
import { sizeText } from '../../../kit/size-text.js';
import type { Draft, DraftFile } from './draft.js';
import { firstToOpen } from './draft-files.js';

interface DraftElsewhereProps {
  title: string;
  crumbs: Crumb[];
  draft: Draft | null;
  onTakeOver: () => void;
}

/** A draft that another tab edits: it is only read here, so that neither writes over the other. */
export function DraftElsewhere({ title, crumbs, draft, onTakeOver }: DraftElsewhereProps) {
  return (
    <Page title={title} crumbs={crumbs}>
      <Alert color="blue" variant="light" role="status" mb="md">
        <Group gap="sm">
          <Text size="sm">You are editing this in another tab.</Text>
          <Button size="compact-sm" variant="default" onClick={onTakeOver}>
            Edit here instead
          </Button>
        </Group>
      </Alert>
      {draft && <ReadFiles files={draft.files} />}
    </Page>
  );
}

function ReadFiles({ files }: { files: DraftFile[] }) {
  const [open, setOpen] = useState<string | null>(() => firstToOpen(files));
  return (
    <Accordion value={open} onChange={setOpen} variant="contained" order={2}>
      {files.map(({ path, content }) => (
        <Accordion.Item key={path} value={path}>
          <Accordion.Control>
            <Text size="sm" className="user-text">
              {path}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            {typeof content !== 'string' && (
              <Text size="sm">{sizeText(content.length)} that are not text</Text>
            )}
            {typeof content === 'string' && open === path && <CodeView text={content} path={path} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
