import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

// It runs before anything is compiled, so it is plain JavaScript.
const { listProgramModules } = (await import(
  pathToFileURL(join('libs', 'bootstrap', 'sources.mjs')).href
)) as { listProgramModules(): string[] };

describe('listProgramModules', () => {
  it('lists the files that types are made of', () => {
    const config = ts.getParsedCommandLineOfConfigFile(
      'tsconfig.build.json',
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: () => undefined,
      },
    );
    const files = config!.fileNames.map((name) => relative(resolve('.'), name));
    expect(listProgramModules().sort()).toEqual(files.filter((name) => !name.endsWith('.d.ts')).sort());
  });
});
