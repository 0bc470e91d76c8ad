import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';

import { notifyProblem } from './notify.js';
import { saveAs } from './save-as.js';

const FORMATS = { csv: 'For a spreadsheet (CSV)', ndjson: 'For a program (lines of JSON)' } as const;
type ExportFormat = keyof typeof FORMATS;

interface ExportMenuProps {
  /** Of the file, without its ending. */
  name: string;
  /** Asks the service for it, as a blob. */
  read: (format: ExportFormat) => Promise<{ data: unknown }>;
}

/** Saves a whole list as a file. */
export function ExportMenu({ name, read }: ExportMenuProps) {
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) =>
      saveAs((await read(format)).data as Blob, `${name}.${format}`),
    onError: notifyProblem,
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={exporting.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(FORMATS) as ExportFormat[]).map((format) => (
          <Menu.Item key={format} onClick={() => exporting.mutate(format)}>
            {FORMATS[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
