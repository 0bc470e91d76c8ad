import { Text } from '@mantine/core';

import { CodeEditor } from '../../../kit/code-editor.js';

export function ReadmeTab({ readme, onReadme }: { readme: string; onReadme: (readme: string) => void }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Markdown, shown on the script's page while this version is published: what it does, who to ask.
      </Text>
      <CodeEditor
        value={readme}
        onChange={onReadme}
        path="readme.md"
        label="Readme"
        height="var(--editor-height)"
      />
    </>
  );
}
