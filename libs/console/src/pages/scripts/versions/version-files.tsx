import type { ScriptVersion } from '@gatehouse/client/operations';
import { Grid, Group, ScrollArea, Skeleton, Text, Tree, useTree } from '@mantine/core';
import IconFile from 'icon:file';
import IconFolder from 'icon:folder';
import IconFolderOpen from 'icon:folder-open';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { type VersionFile, versionFilesOptions } from '../../../kit/archive/version-files.js';
import { Empty } from '../../../kit/empty.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useScript } from '../script-context.js';
import { fileTree, firstFile, openFolders } from './file-tree.js';
import classes from './version-files.module.css';
import { VersionFileText } from './version-file-text.js';

interface VersionFilesProps {
  version: ScriptVersion;
  /** The path of the file that is open; without one, what runs is. */
  open: string | undefined;
  onOpen: (path: string) => void;
}

export function VersionFiles({ version, open, onOpen }: VersionFilesProps) {
  const { slug } = useScript();
  const { data, error, refetch } = useQuery(versionFilesOptions(slug, version.number));
  if (!data) return error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={320} />;
  const shown = open ?? firstFile(data, version.command);
  const file = data.find(({ path }) => path === shown);
  if (data.length === 0) return <Empty title="The archive is empty" />;
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, sm: 4, lg: 3 }}>
        <FileTree key={version.number} files={data} shown={shown} onOpen={onOpen} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 8, lg: 9 }}>
        {file ? (
          <VersionFileText key={file.path} file={file} />
        ) : (
          <Empty title={open ? `There is no file ${open}` : 'Choose a file'} />
        )}
      </Grid.Col>
    </Grid>
  );
}

function FileTree({
  files,
  shown,
  onOpen,
}: {
  files: VersionFile[];
  shown: string | undefined;
  onOpen: (path: string) => void;
}) {
  const nodes = useMemo(() => fileTree(files), [files]);
  const tree = useTree({
    initialExpandedState: Object.fromEntries(openFolders(files, shown).map((folder) => [folder, true])),
  });
  return (
    <ScrollArea.Autosize mah={{ base: 240, sm: 560 }} type="auto">
      <Tree
        data={nodes}
        tree={tree}
        levelOffset={16}
        aria-label="Files of this version"
        renderNode={({ node, expanded, hasChildren, elementProps }) => (
          <Group
            {...elementProps}
            gap={6}
            wrap="nowrap"
            className={`${elementProps.className} ${classes['node']}`}
            data-shown={node.value === shown || undefined}
            onClick={(event) => {
              elementProps.onClick(event);
              if (!hasChildren) onOpen(node.value);
            }}
          >
            <NodeIcon isFolder={hasChildren} expanded={expanded} />
            <Text span size="sm" truncate className="user-text">
              {node.label}
            </Text>
          </Group>
        )}
      />
    </ScrollArea.Autosize>
  );
}

function NodeIcon({ isFolder, expanded }: { isFolder: boolean; expanded: boolean }) {
  const Icon = isFolder ? (expanded ? IconFolderOpen : IconFolder) : IconFile;
  return <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />;
}
