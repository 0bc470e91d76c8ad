import { ActionIcon, Box, Group, Text, Tooltip } from '@mantine/core';
import IconFilePlus from 'icon:file-plus';
import IconFileUpload from 'icon:file-upload';
import IconPencil from 'icon:pencil';
import IconTrash from 'icon:trash';
import { type ReactNode, useMemo, useRef, useState } from 'react';

import { CodeEditor } from '../../../kit/code-editor.js';
import type { Word } from '../../../kit/code/word.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyProblem } from '../../../kit/notify.js';
import { PaneDivider } from '../../../kit/pane-divider.js';
import { sizeText } from '../../../kit/size-text.js';
import { usePaneWidth } from '../../../kit/use-pane-width.js';
import type { DraftFile } from './draft.js';
import { fileAt, firstToOpen, renamed, treeOf, withContent, withFiles, withoutFile } from './draft-files.js';
import { chosenFiles, readAll } from './dropped-files.js';
import { FileNameDialog } from './file-name-dialog.js';
import { FileTree } from './file-tree.js';
import classes from './new.module.css';

interface FilesTabProps {
  /** What the editor offers. */
  words: readonly Word[];
  files: DraftFile[];
  onFiles: (change: (files: DraftFile[]) => DraftFile[]) => void;
}

/** The files of the draft, and the one that is open. */
export function FilesTab({ words, files, onFiles }: FilesTabProps) {
  const width = usePaneWidth('files', { usual: 208, least: 120, most: 480 });
  const [wanted, setWanted] = useState<string | null>(null);
  const [naming, setNaming] = useState<'add' | 'rename' | null>(null);
  const upload = useRef<HTMLInputElement>(null);
  const paths = useMemo(() => files.map(({ path }) => path), [files]);
  const pathsText = paths.join('\n');
  const nodes = useMemo(() => treeOf(pathsText === '' ? [] : pathsText.split('\n')), [pathsText]);
  const open = fileAt(files, wanted) ?? fileAt(files, firstToOpen(files));

  const add = async (list: FileList): Promise<void> => {
    try {
      const read = await readAll(chosenFiles(list));
      onFiles((before) => withFiles(before, read));
      setWanted(read[0]?.path ?? null);
    } catch (error) {
      notifyProblem(error);
    }
  };
  const remove = (path: string): void =>
    confirmDestruction({
      title: `Delete the file ${path}?`,
      children: 'It is taken out of this draft. Versions that were made before keep it.',
      confirm: 'Delete',
      onConfirm: () => onFiles((before) => withoutFile(before, path)),
    });

  return (
    <Box className={classes['files']} __vars={{ '--tree-width': `${width.px}px` }}>
      <div className={classes['tree-side']}>
        <Group gap={2} mb={4}>
          <Tool label="New file" onClick={() => setNaming('add')}>
            <IconFilePlus size={17} aria-hidden />
          </Tool>
          <Tool label="Add files from this computer" onClick={() => upload.current?.click()}>
            <IconFileUpload size={17} aria-hidden />
          </Tool>
          <Tool label="Rename the open file" disabled={!open} onClick={() => setNaming('rename')}>
            <IconPencil size={17} aria-hidden />
          </Tool>
          <Tool label="Delete the open file" disabled={!open} onClick={() => open && remove(open.path)}>
            <IconTrash size={17} aria-hidden />
          </Tool>
          <input
            ref={upload}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              if (currentTarget.files?.length) void add(currentTarget.files);
              currentTarget.value = '';
            }}
          />
        </Group>
        <nav aria-label="Files of the draft" className={classes['tree-scroll']}>
          <FileTree nodes={nodes} open={open?.path ?? null} onOpen={setWanted} />
        </nav>
      </div>
      <PaneDivider label="Width of the files" side="left" {...width} />
      <Box className={classes['editor-side']}>
        {open ? (
          <OpenFile
            file={open}
            words={words}
            onText={(text) => onFiles((before) => withContent(before, open.path, text))}
          />
        ) : (
          <Text c="dimmed" size="sm">
            There is no file yet. Add one, or choose some from this computer.
          </Text>
        )}
      </Box>
      {naming && (
        <FileNameDialog
          title={naming === 'add' ? 'New file' : `Rename ${open?.path ?? ''}`}
          submit={naming === 'add' ? 'Add' : 'Rename'}
          initial={naming === 'add' ? '' : (open?.path ?? '')}
          others={naming === 'add' ? paths : paths.filter((path) => path !== open?.path)}
          onClose={() => setNaming(null)}
          onName={(path) => {
            onFiles((before) =>
              naming === 'add'
                ? withFiles(before, [{ path, content: '', executable: path.endsWith('.sh') }])
                : renamed(before, open!.path, path),
            );
            setWanted(path);
          }}
        />
      )}
    </Box>
  );
}

interface OpenFileProps {
  file: DraftFile;
  words: readonly Word[];
  onText: (text: string) => void;
}

function OpenFile({ file, words, onText }: OpenFileProps) {
  const { path, content } = file;
  return (
    <>
      <Text size="sm" ff="monospace" mb={6} className="user-text">
        {path}
        {file.executable && (
          <Text span size="xs" c="dimmed">
            {' '}
            executable
          </Text>
        )}
      </Text>
      {typeof content === 'string' ? (
        <CodeEditor
          value={content}
          onChange={onText}
          path={path}
          label={`File ${path}`}
          height="var(--editor-height)"
          words={words}
        />
      ) : (
        <Text size="sm" c="dimmed">
          This file has {sizeText(content.length)} and is no text that can be edited here. It goes into the
          version as it is.
        </Text>
      )}
    </>
  );
}

interface ToolProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, disabled, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={disabled ?? false}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
