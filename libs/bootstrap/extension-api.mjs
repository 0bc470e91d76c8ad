import { join } from 'node:path';

import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

import { prepareProgram } from './prepare.mjs';
import { root, run } from './project.mjs';

/**
 * What `@gatehouse/extension` exports, as `libs/extension/extension.public.api.md` records it, and its types in one file.
 * With `--check`, a difference from the record is an error: whoever changes what extensions rely on sees it in review.
 */
const check = process.argv.includes('--check');
const folder = join(root, 'libs', 'extension');
const quiet = new Set(['ae-missing-release-tag', 'ae-unresolved-link']);

await run(async () => {
  await prepareProgram();
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, 'package.json'),
    configObjectFullPath: join(folder, 'api-extractor.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, 'dist', 'src', 'extension', 'index.d.ts'),
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
          include: ['dist/src/extension/index.d.ts'],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: 'extension',
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
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: !check,
    messageCallback: (message) => {
      if (quiet.has(message.messageId) || message.logLevel === 'verbose' || message.logLevel === 'info')
        message.handled = true;
    },
  });
  if (check && apiReportChanged) {
    console.error(
      'What extensions rely on has changed: `npm run extension-api` records it, and libs/extension/CHANGELOG.md says it.',
    );
  }
  process.exitCode = succeeded ? 0 : 1;
});
