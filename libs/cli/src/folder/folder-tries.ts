import type { Gatehouse, RunEvent } from '@gatehouse/client';

import { reportFailure } from '../failure/report-failure.js';
import { reportRun } from '../runs/report-run.js';
import { RunProgress } from '../runs/run-progress.js';
import { bold, dim, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { readDefinition } from './definition.js';
import { folderFiles } from './folder-files.js';
import { makeTrial } from './make-trial.js';
import { packFolder } from './pack-folder.js';
import { trialInputs } from './trial-inputs.js';

interface GivenInputs {
  named: readonly string[];
  words: readonly string[];
}

/** One try of a folder: until it has ended, or another begins. */
interface Try {
  over: AbortController;
  /** null: it has not begun yet, or has ended. */
  runId: string | null;
}

/** Tries a folder again and again. At most one is under way. */
export class FolderTries {
  private latest: Try | null = null;
  private lastSha256: string | null = null;
  private count = 0;
  private turn = 0;

  constructor(
    private readonly gatehouse: Gatehouse,
    private readonly folder: string,
    private readonly inputs: GivenInputs,
  ) {}

  /**
   * Tries what is there now, unless it is what was tried last. What goes wrong is said.
   *
   * @param savedAt when it was saved, for what is said of the time that it took; 0 at first
   * @returns whether it waits for a person, as each further one would
   */
  async begin(savedAt: number): Promise<boolean> {
    const self: Try = { over: new AbortController(), runId: null };
    const turn = ++this.turn;
    try {
      const definition = await readDefinition(this.folder);
      const packed = await packFolder(this.folder, await folderFiles(this.folder, definition.ignore));
      // Saved once more meanwhile, or not changed.
      if (turn !== this.turn || packed.sha256 === this.lastSha256) return false;
      this.lastSha256 = packed.sha256;
      void this.end();
      this.latest = self;
      say(bold(`— ${definition.slug}, try ${++this.count}`));
      const { signal } = self.over;
      const trial = await makeTrial(this.gatehouse, definition, packed.bytes, { signal });
      const inputs = await trialInputs(this.gatehouse, trial, this.inputs);
      const options = { via: 'cli', wait: 'none', signal } as const;
      const run = await this.gatehouse.runs.tryOut(definition.slug, trial.id, inputs, options);
      self.runId = run.id;
      if (signal.aborted) await this.cancel(self);
      else if (run.status !== 'awaiting_approval') await this.follow(self, run.id, savedAt);
      else {
        say(`${yellow('held:')} a person has to approve this run at ${run.approval?.approveUrl}`);
        say(
          `Each save would ask somebody again, so this ends here. Wait for it: gatehouse runs watch ${run.id}`,
        );
        self.runId = null;
        return true;
      }
    } catch (error) {
      if (!self.over.signal.aborted) reportFailure(error);
    }
    return false;
  }

  /** Ends what is under way. */
  async end(): Promise<void> {
    const { latest } = this;
    this.latest = null;
    if (latest === null) return;
    latest.over.abort();
    await this.cancel(latest);
  }

  private async follow(self: Try, runId: string, savedAt: number): Promise<void> {
    const progress = new RunProgress();
    let firstLineAt: number | null = null;
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'log') firstLineAt ??= Date.now();
      progress.show(event);
    };
    try {
      const run = await this.gatehouse.runs.wait(runId, { onEvent, signal: self.over.signal });
      self.runId = null;
      await reportRun(this.gatehouse, run, {}, { progress });
      const first = firstLineAt ?? Date.now();
      if (savedAt > 0) say(dim(`${Math.round(first - savedAt)} ms from the save to the first line`));
    } finally {
      progress.end();
    }
  }

  /** It may have ended by itself meanwhile. */
  private async cancel(one: Try): Promise<void> {
    const { runId } = one;
    one.runId = null;
    if (runId !== null) await this.gatehouse.runs.cancel(runId).catch(() => undefined);
  }
}
