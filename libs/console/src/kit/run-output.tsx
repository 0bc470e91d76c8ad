import type { Run } from '@gatehouse/client/operations';
import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Suspense, useMemo, useState } from 'react';

import { CopyButton } from './copy-button.js';
import { lazily } from './lazily.js';
import { Markdown } from './markdown.js';
import classes from './run-output/output.module.css';
import { DataTable } from './run-output/data-table.js';
import { JsonTree } from './run-output/json-tree.js';
import { type OutputView, outputText, outputViews } from './run-output/output-shape.js';
import { type OutputTable, besides, columnsOf, shortText, tablesOf } from './run-output/output-tables.js';

const OutputCharts = lazily(() => import('./run-output/output-chart-view.js'));

const LABELS: Record<OutputView, string> = {
  table: 'Table',
  chart: 'Chart',
  markdown: 'Markdown',
  tree: 'Tree',
  text: 'Text',
};

/** What a run returned: as its script asks for, or as a table, a tree or text, whichever fits it. */
export function RunOutput({ run }: { run: Pick<Run, 'id' | 'status' | 'output' | 'outputView'> }) {
  const { output, outputView } = run;
  const views = useMemo(() => outputViews(output, outputView), [output, outputView]);
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
      {view === 'table' && <OutputTables runId={run.id} output={output} />}
      {view === 'chart' && (
        <Suspense fallback={<Skeleton height={240} />}>
          <OutputCharts output={output} />
        </Suspense>
      )}
      {view === 'markdown' && <Markdown text={outputText(output)} />}
      {view === 'tree' && <JsonTree value={output} label="Output" />}
      {view === 'text' && (
        <pre className={`${classes['text']} user-text`} tabIndex={0} aria-label="Output">
          {outputText(output)}
        </pre>
      )}
    </Stack>
  );
}

function OutputTables({ runId, output }: { runId: string; output: unknown }) {
  const tables = useMemo(() => tablesOf(output), [output]);
  const rest = useMemo(() => besides(output, tables), [output, tables]);
  return (
    <Stack gap="md">
      {rest && <JsonTree value={rest} label="Besides its tables" isBare />}
      {tables.map((table) => (
        <Table key={table.name} runId={runId} table={table} />
      ))}
    </Stack>
  );
}

function Table({ runId, table: { name, rows } }: { runId: string; table: OutputTable }) {
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const cells = useMemo(
    () => rows.map((row) => columns.map((column) => shortText(row[column]))),
    [rows, columns],
  );
  const fileName = name === null ? runId : `${runId}-${name.replace(/[^\w-]+/g, '_')}`;
  return (
    <div>
      {name !== null && (
        <Title order={3} size="h5" mb="xs" className="user-text">
          {name}
        </Title>
      )}
      <DataTable label={name ?? 'Output'} columns={columns} rows={cells} fileName={fileName} />
    </div>
  );
}
