import type { FileListItem } from '@gatehouse/client/operations';
import { Anchor, Text } from '@mantine/core';
import IconCopy from 'icon:copy';
import IconDownload from 'icon:download';
import IconTrash from 'icon:trash';
import { Link } from '@tanstack/react-router';

import type { Place } from '../../api/place.js';
import { copied } from '../../kit/copied.js';
import type { Column } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { notifyProblem } from '../../kit/notify.js';
import { RowActs, actsColumn } from '../../kit/row-acts.js';
import { baseName, download } from '../../kit/run-output/file-content.js';
import { sizeText } from '../../kit/size-text.js';

interface FileColumnsOptions {
  place: Place;
  onDelete: (file: FileListItem) => void;
}

export function fileColumns({ place, onDelete }: FileColumnsOptions): Column<FileListItem>[] {
  return [
    {
      id: 'name',
      header: 'File',
      cell: ({ name, type }) => (
        <>
          <Text size="sm" fw={600} className="user-text">
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="user-text">
            {type}
          </Text>
        </>
      ),
    },
    { id: 'direction', header: 'Direction', cell: directionText },
    { id: 'run', header: 'Run', cell: (file) => <RunOfFile file={file} place={place} /> },
    {
      id: 'by',
      header: 'By',
      wideOnly: true,
      cell: ({ startedBy }) => <span className="user-text">{startedBy ?? ''}</span>,
    },
    { id: 'size', header: 'Size', align: 'right', cell: ({ size }) => sizeText(size) },
    { id: 'created', header: 'Added', align: 'right', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: 'expires',
      header: 'Goes',
      align: 'right',
      wideOnly: true,
      cell: ({ expiresAt }) => <Moment at={expiresAt} />,
    },
    actsColumn((file) => (
      <RowActs
        of={file.name}
        acts={[
          {
            label: 'Download',
            icon: IconDownload,
            ...(file.downloadUrl === null
              ? { onAct: () => void download(file).catch(notifyProblem) }
              : { file: { href: file.downloadUrl, name: baseName(file.name) } }),
          },
          { label: 'Copy the id', icon: IconCopy, onAct: () => void copied(file.id) },
          { label: 'Delete', icon: IconTrash, destroys: true, onAct: () => onDelete(file) },
        ]}
      />
    )),
  ];
}

function directionText({ direction, runId, field }: FileListItem): string {
  if (direction === 'out') return 'Written by a run';
  return runId === null ? 'Uploaded, not used yet' : `Given as ${field ?? 'an input'}`;
}

function RunOfFile({ file: { run, script }, place }: { file: FileListItem; place: Place }) {
  if (run === null)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  return (
    <Anchor
      size="sm"
      className="user-text"
      renderRoot={(props) => (
        <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId: run.id }} {...props} />
      )}
    >
      {script.name ?? script.slug ?? run.id}
    </Anchor>
  );
}
