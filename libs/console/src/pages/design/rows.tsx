import { Anchor, Text } from '@mantine/core';
import IconCopy from 'icon:copy';
import IconPlayerPlay from 'icon:player-play';

import { Entries, Entry } from '../../kit/entries.js';
import type { Column } from '../../kit/listing.js';
import { Rows as Table } from '../../kit/listing/rows.js';
import { durationText } from '../../kit/moment.js';
import { RowActs, actsColumn } from '../../kit/row-acts.js';
import { Section } from '../../kit/section.js';
import { Status } from '../../kit/status.js';

interface Item {
  id: string;
  name: string;
  status: string;
  durationMs: number;
}

const ITEMS: Item[] = [
  { id: '1', name: 'Letters', status: 'succeeded', durationMs: 57 },
  { id: '2', name: 'Import of orders', status: 'failed', durationMs: 12_400 },
  { id: '3', name: 'Stock', status: 'executing', durationMs: 3000 },
];

const COLUMNS: Column<Item>[] = [
  { id: 'name', header: 'Script', cell: ({ name }) => <Anchor size="sm">{name}</Anchor> },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
  {
    id: 'took',
    header: 'Took',
    align: 'right',
    wideOnly: true,
    cell: ({ durationMs }) => durationText(durationMs),
  },
  actsColumn(({ name }) => (
    <RowActs
      of={name}
      acts={[
        { label: 'Run again', icon: IconPlayerPlay },
        { label: 'Copy the id', icon: IconCopy },
      ]}
    />
  )),
];

export function Rows() {
  return (
    <Section
      title="Lists"
      description="Listing: pages of rows of 36 px, which are cards on a phone. Entries: a few within a card."
    >
      <Table label="Runs" columns={COLUMNS} chosen={undefined} items={ITEMS} />
      <Entries>
        <Entry name="Invite a person" about={<Text size="sm">Ada asked 3 minutes ago</Text>} />
      </Entries>
    </Section>
  );
}
