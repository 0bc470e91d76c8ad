import { run } from './project.mjs';
import { addFlaky, flakyFailures, quarantinedFiles, removeFlaky } from './tests/flaky-files.mjs';

/**
 * `npm run flaky`: what is known of tests that fail now and then. `-- 'FILE > TEST: MESSAGE'` adds a failure, in the words of
 * `npm test`; `-- --mended FILE` removes those of a file.
 */
await run(() => {
  const [first, second] = process.argv.slice(2);
  if (first === '--mended') removeFlaky(second);
  else if (first !== undefined) addFlaky(first, new Date().toISOString().slice(0, 10));
  for (const { seen, file, failure } of flakyFailures()) console.log(`${seen}  ${file} > ${failure}`);
  for (const file of quarantinedFiles()) console.log(`In quarantine, so only in test:full: ${file}`);
});
