import type { FileListItem } from '@gatehouse/client/operations';
import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core';
import IconTrash from 'icon:trash';
import { Link } from '@tanstack/react-router';

import type { Place } from '../../api/place.js';
import type { Column } from '../../kit/listing.js';
import { Moment } from '../../kit/moment.js';
import { DownloadButton } from '../../kit/run-files.js';
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
    {
      id: 'acts',
      header: 'Actions',
      align: 'right',
      cell: (file) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <DownloadButton file={file} />
          <Tooltip label="Delete">
            <ActionIcon
              variant="default"
              c="var(--mantine-color-error)"
              aria-label={`Delete ${file.name}`}
              onClick={() => onDelete(file)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      ),
    },
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
