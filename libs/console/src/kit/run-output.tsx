import type { Run } from '@gatehouse/client/operations';
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import { CopyButton } from './copy-button.js';
import classes from './run-output/output.module.css';
import { DataTable } from './run-output/data-table.js';
import { JsonTree } from './run-output/json-tree.js';
import {
  type OutputView,
  type Row,
  columnsOf,
  isNumeric,
  outputText,
  outputViews,
  rowsOf,
  shortText,
} from './run-output/output-shape.js';

const LABELS: Record<OutputView, string> = { table: 'Table', tree: 'Tree', text: 'Text' };

/** What a run returned: as a table, a tree or text, whichever fits it. */
export function RunOutput({ run }: { run: Pick<Run, 'id' | 'status' | 'output'> }) {
  const { output } = run;
  const views = useMemo(() => outputViews(output), [output]);
  const [wanted, setWanted] = useState<OutputView | null>(null);
  if (output === undefined || output === null) {
    return (
      <Text size="sm" c="dimmed">
        {run.status === 'succeeded' ? 'This run returned nothing.' : 'There is no output.'}
      </Text>
    );
  }
  const view = wanted !== null && views.includes(wanted) ? wanted : views[0]!;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        {views.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label="Show the output as"
            data={views.map((value) => ({ value, label: LABELS[value] }))}
            value={view}
            onChange={(value) => setWanted(value as OutputView)}
          />
        ) : (
          <span />
        )}
        <CopyButton value={outputText(output)} label="Copy the output" />
      </Group>
      {view === 'table' && <OutputTable rows={rowsOf(output)!} />}
      {view === 'tree' && <JsonTree value={output} label="Output" />}
      {view === 'text' && (
        <pre className={`${classes['text']} user-text`} tabIndex={0} aria-label="Output">
          {outputText(output)}
        </pre>
      )}
    </Stack>
  );
}

function OutputTable({ rows }: { rows: Row[] }) {
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const cells = useMemo(
    () => rows.map((row) => columns.map((column) => shortText(row[column]))),
    [rows, columns],
  );
  const numeric = useMemo(() => columns.map((column) => isNumeric(rows, column)), [rows, columns]);
  return <DataTable label="Output" columns={columns} rows={cells} isNumeric={(index) => numeric[index]!} />;
}
