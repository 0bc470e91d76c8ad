import { join } from 'node:path';

import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

import { ensureDeclarations } from './declarations.mjs';
import { prepareProgram } from './prepare.mjs';
import { root, run } from './project.mjs';

/**
 * The types of `@gatehouse/extension` and `@gatehouse/testing`, each in one file that needs none of what Gatehouse itself is
 * made with; and what the first exports, as `libs/extension/extension.public.api.md` records it. With `--check`, a difference
 * from the record is an error: whoever changes what extensions rely on sees it in review.
 */
const check = process.argv.includes('--check');
const quiet = new Set(['ae-missing-release-tag', 'ae-unresolved-link']);

await run(async () => {
  await prepareProgram();
  await ensureDeclarations();
  const extension = extract('extension', 'src/extension/index.d.ts', { recorded: true });
  const testing = extract('testing', 'libs/testing/in-process/index.d.ts', { recorded: false });
  if (check && extension.apiReportChanged) {
    console.error(
      'What extensions rely on has changed: `npm run extension-api` records it, and libs/extension/CHANGELOG.md says it.',
    );
  }
  process.exitCode = extension.succeeded && testing.succeeded ? 0 : 1;
});

/** @param {{ recorded: boolean }} options whether there is a record of it */
function extract(name, entry, { recorded }) {
  const folder = join(root, 'libs', name);
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, 'package.json'),
    configObjectFullPath: join(folder, 'api-extractor.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, 'dist', entry),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            module: 'nodenext',
            moduleResolution: 'nodenext',
            lib: ['es2023'],
            types: ['node'],
            strict: true,
            experimentalDecorators: true,
            skipLibCheck: true,
          },
          include: [`dist/${entry}`],
        },
      },
      apiReport: {
        enabled: recorded,
        reportFileName: name,
        reportVariants: ['public'],
        reportFolder: folder,
        reportTempFolder: join(folder, 'dist'),
      },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: {
        enabled: true,
        untrimmedFilePath: '',
        publicTrimmedFilePath: join(folder, 'dist', 'index.d.ts'),
      },
      newlineKind: 'lf',
    },
  });
  return Extractor.invoke(config, {
    localBuild: !check,
    messageCallback: (message) => {
      if (quiet.has(message.messageId) || message.logLevel === 'verbose' || message.logLevel === 'info')
        message.handled = true;
    },
  });
}
