import { basename } from 'node:path';

import { watch } from 'chokidar';

import { type Context, contextOf } from '../context.js';
import { EXIT, type ExitCode } from '../failure/exit-codes.js';
import { type OwnOptions, ownOptions } from '../runs/own-options.js';
import { dim } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { isWatched } from './folder-files.js';
import { FolderTries } from './folder-tries.js';

/** An editor writes a file in several steps, and a formatter writes it again. */
const SETTLE_MS = 40;

/** Tries the folder now and at each save, until Ctrl-C. Each try ends the one before. */
export default async function dev(context: Context<OwnOptions>): Promise<ExitCode> {
  const { own, rest } = ownOptions(context.args);
  const gatehouse = await contextOf([], { ...context.options, ...own }).gatehouse();
  const named = [...(context.options.input ?? []), ...(own.input ?? [])];
  const tries = new FolderTries(gatehouse, '.', { named, words: rest });
  return new Promise((end) => {
    let timer: NodeJS.Timeout | undefined;
    let savedAt = 0;
    const watcher = watch('.', {
      ignoreInitial: true,
      alwaysStat: true,
      followSymlinks: false,
      ignored: (path) => path !== '.' && !isWatched(basename(path)),
    });
    const finish = (code: ExitCode): void => {
      clearTimeout(timer);
      void Promise.allSettled([watcher.close(), tries.end()]).then(() => end(code));
    };
    const tryNow = (): void => {
      void tries.begin(savedAt).then((isHeld) => isHeld && finish(EXIT.held));
    };
    watcher.on('all', (_, __, stats) => {
      // When it was written, not when that was heard of. A file that is gone does not say.
      savedAt = Math.max(savedAt, Math.min(stats?.mtimeMs ?? Date.now(), Date.now()));
      clearTimeout(timer);
      timer = setTimeout(tryNow, SETTLE_MS);
    });
    watcher.once('ready', () => {
      say(dim('Each save is tried. Ctrl-C ends it.'));
      tryNow();
    });
    process.once('SIGINT', () => finish(EXIT.done));
    process.once('SIGTERM', () => finish(EXIT.done));
  });
}
