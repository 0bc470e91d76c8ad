import { Group, Stack, Tabs } from '@mantine/core';
import { useState } from 'react';

import { CodeView } from '../../../kit/code-view.js';
import { CopyButton } from '../../../kit/copy-button.js';
import go from './verify.go?raw';
import javascript from './verify.mjs?raw';
import php from './verify.php?raw';
import python from './verify.py?raw';
import ruby from './verify.ru?raw';

const SNIPPETS = [
  { language: 'JavaScript', path: 'verify.mjs', text: javascript },
  { language: 'Python', path: 'verify.py', text: python },
  { language: 'Go', path: 'verify.go', text: go },
  { language: 'Ruby', path: 'verify.rb', text: ruby },
  { language: 'PHP', path: 'verify.php', text: php },
];

/** How a receiver checks a signature, as a small service that runs as it stands. */
export default function VerificationSnippets() {
  const [language, setLanguage] = useState<string | null>('JavaScript');
  return (
    <Tabs value={language} onChange={setLanguage} keepMounted={false}>
      <Tabs.List aria-label="Language">
        {SNIPPETS.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ language, path, text }) => (
        <Tabs.Panel key={language} value={language} pt="xs">
          <Stack gap="xs">
            <CodeView text={text} path={path} label={`Verification in ${language}`} maxHeight="24rem" />
            <Group>
              <CopyButton value={text} label="Copy the code" />
            </Group>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
