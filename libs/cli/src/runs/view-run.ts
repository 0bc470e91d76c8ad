import type { Context } from '../context.js';
import { printOne } from '../output/print.js';

export default async function viewRun({ args, options, gatehouse }: Context): Promise<void> {
  const run = await (await gatehouse()).runs.get(args[0]!);
  await printOne(run, options, [
    ['Run', ({ id }) => id],
    ['Script', ({ script, version }) => `${script.slug}, version ${version}`],
    ['Environment', ({ environment }) => environment],
    ['Status', ({ status, phase }) => (status === 'running' ? `${status}: ${phase}` : status)],
    ['Error', ({ error }) => error],
    ['Started', (one) => `${one.startedAt} through ${one.interface}`],
    ['Finished', ({ finishedAt }) => finishedAt],
    ['Took', ({ durationMs }) => (durationMs === null ? null : `${durationMs} ms`)],
    ['Inputs', ({ inputs }) => JSON.stringify(inputs)],
    ['Output', ({ output }) => (output === null || output === undefined ? null : JSON.stringify(output))],
    ['Log', ({ logLines, id }) => (logLines === 0 ? null : `${logLines} lines: gatehouse logs ${id}`)],
    ['Files', ({ files = [] }) => files.map(({ name, id }) => `${name} (${id})`).join(', ') || null],
  ]);
}
