import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is there, in a folder of PATH or in one of these besides. */
export const isInstalled = (program: string, ...besides: string[]): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...besides].some((folder) =>
    existsSync(join(folder, program)),
  );
