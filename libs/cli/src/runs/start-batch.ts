import { readFile } from 'node:fs/promises';

import type { RunInputs } from '@gatehouse/client';

import { parseJson } from '../output/json.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { printOne } from '../output/print.js';
import { readStandardInput } from '../terminal/interactive.js';
import { labelsOf } from './label-options.js';
import type { OwnOptions } from './own-options.js';
import { retryOf } from './retry-option.js';
import { turnOf } from './turn-options.js';

type BatchOptions = OwnOptions & { startAt?: string; expiresAt?: string };

export default async function startBatch({ args, options, gatehouse }: Context<BatchOptions>): Promise<void> {
  const [script, file] = args as [string, string];
  const text = file === '-' ? await readStandardInput() : await readFile(file, 'utf8');
  const retry = retryOf(options.retry);
  const labels = labelsOf(options.label);
  const batch = await (
    await gatehouse()
  ).runs.startMany(script, inputsOf(text), {
    via: 'cli',
    ...(retry !== undefined && { retry }),
    ...(labels && { labels }),
    ...turnOf(options),
  });
  await printOne(batch, options, [
    ['Batch', ({ id }) => id],
    ['Runs', ({ runs }) => String(runs.length)],
    ['List', ({ id }) => `gatehouse runs list --caused-by ${id}`],
  ]);
}

/** A JSON object on each line. */
function inputsOf(text: string): RunInputs[] {
  // Windows PowerShell writes a byte order mark.
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        const inputs: unknown = parseJson(line);
        if (typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs))
          return [inputs as RunInputs];
      } catch {
        // It is said below.
      }
      throw new WrongUse(`Line ${index + 1} is no JSON object.`, 'Give the inputs of one run on each line.');
    });
}
