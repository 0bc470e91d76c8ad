import { Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { Problem } from '../../../api/problem.js';
import type { Draft } from './draft.js';
import { FilesTab } from './files-tab.js';
import classes from './new.module.css';
import { ReadmeTab } from './readme-tab.js';
import { SettingsTab } from './settings-tab.js';
import { TestPanel } from './test-panel.js';
import type { TestRun } from './use-test-run.js';

interface WorkbenchProps {
  draft: Draft;
  change: (change: (draft: Draft) => Draft) => void;
  test: TestRun;
  blocked: string | null;
  /** What the service said about the last attempt to make a version. */
  problem: unknown;
  children?: ReactNode;
}

/** A draft: its files, settings and readme, and beside them what a run of it does. */
export function Workbench({ draft, change, test, blocked, problem, children }: WorkbenchProps) {
  const [tab, setTab] = useState<string | null>('files');
  const told = problem instanceof Problem ? problem : null;
  return (
    <div className={classes['workbench']}>
      <div className={classes['draft']}>
        {children}
        <Tabs value={tab} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="files">Files</Tabs.Tab>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="readme">Readme</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="files">
            <FilesTab
              files={draft.files}
              onFiles={(apply) => change((before) => ({ ...before, files: apply(before.files) }))}
            />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <SettingsTab
              settings={draft.settings}
              onSettings={(patch) =>
                change((before) => ({ ...before, settings: { ...before.settings, ...patch } }))
              }
              problem={told}
            />
          </Tabs.Panel>
          <Tabs.Panel value="readme">
            <ReadmeTab
              readme={draft.settings.readme}
              onReadme={(readme) =>
                change((before) => ({ ...before, settings: { ...before.settings, readme } }))
              }
            />
          </Tabs.Panel>
        </Tabs>
      </div>
      <div className={classes['test']}>
        <TestPanel draft={draft} test={test} blocked={blocked} />
      </div>
    </div>
  );
}
