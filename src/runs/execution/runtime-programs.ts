import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { ScriptRuntimes } from '../../scripts/index.js';
import { BoxProvider } from './box-provider.js';

/** Sees to it that boxes have the programs that runtimes of extensions name, before there is a run that needs one. */
@Injectable()
export class RuntimePrograms implements OnApplicationBootstrap {
  constructor(
    private readonly boxes: BoxProvider,
    private readonly runtimes: ScriptRuntimes,
  ) {}

  /** @throws Error that stops the start */
  async onApplicationBootstrap(): Promise<void> {
    for (const [name, { program }] of this.runtimes.all()) {
      if (await this.boxes.sandbox.finds(program)) continue;
      throw new Error(
        `The runtime ${name} needs ${program}, which no box of this machine finds. Install it below /usr, or take the extension out of GATEHOUSE_EXTENSIONS.`,
      );
    }
  }
}
