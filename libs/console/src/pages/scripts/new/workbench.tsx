import { Box, Tabs } from '@mantine/core';
import { type ReactNode, useMemo, useRef, useState } from 'react';

import { Problem } from '../../../api/problem.js';
import { PaneDivider } from '../../../kit/pane-divider.js';
import { usePaneWidth } from '../../../kit/use-pane-width.js';
import type { Draft } from './draft.js';
import { draftWords } from './draft-words.js';
import { FilesTab } from './files-tab.js';
import classes from './new.module.css';
import { ReadmeTab } from './readme-tab.js';
import { SettingsTab } from './settings-tab.js';
import { TestPanel } from './test-panel.js';
import { useEditorKeys } from './use-editor-keys.js';
import type { TestRun } from './use-test-run.js';

interface WorkbenchProps {
  draft: Draft;
  change: (change: (draft: Draft) => Draft) => void;
  test: TestRun;
  blocked: string | null;
  /** What the service said about the last attempt to make a version. */
  problem: unknown;
  /** Asks for a version of it. */
  onSave: () => void;
  children?: ReactNode;
}

/** A draft: its files, settings and readme, and beside them what a run of it does. */
export function Workbench(props: WorkbenchProps) {
  const { draft, change, test, blocked, problem, onSave, children } = props;
  const [tab, setTab] = useState<string | null>('files');
  const told = problem instanceof Problem ? problem : null;
  const testPane = useRef<HTMLDivElement>(null);
  const width = usePaneWidth('test', { usual: 400, least: 280, most: 720 });
  const { inputSchema, command, env } = draft.settings;
  const words = useMemo(() => draftWords({ inputSchema, command, env }), [inputSchema, command, env]);
  useEditorKeys({ onSave, onTest: () => testPane.current?.querySelector('form')?.requestSubmit() });
  return (
    <Box className={classes['workbench']} __vars={{ '--test-width': `${width.px}px` }}>
      <div className={classes['draft']}>
        {children}
        <Tabs value={tab} onChange={setTab} keepMounted={false} className={classes['tabs']}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="files">Files</Tabs.Tab>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="readme">Readme</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel className={classes['panel']} value="files">
            <FilesTab
              words={words}
              files={draft.files}
              onFiles={(apply) => change((before) => ({ ...before, files: apply(before.files) }))}
            />
          </Tabs.Panel>
          <Tabs.Panel className={classes['panel']} value="settings">
            <SettingsTab
              settings={draft.settings}
              onSettings={(patch) =>
                change((before) => ({ ...before, settings: { ...before.settings, ...patch } }))
              }
              problem={told}
            />
          </Tabs.Panel>
          <Tabs.Panel className={classes['panel']} value="readme">
            <ReadmeTab
              readme={draft.settings.readme}
              onReadme={(readme) =>
                change((before) => ({ ...before, settings: { ...before.settings, readme } }))
              }
            />
          </Tabs.Panel>
        </Tabs>
      </div>
      <PaneDivider label="Width of the test" side="right" {...width} />
      <div ref={testPane} className={classes['test']}>
        <TestPanel draft={draft} test={test} blocked={blocked} />
      </div>
    </Box>
  );
}
