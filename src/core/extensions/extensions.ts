import { Injectable } from '@nestjs/common';
import type { Module } from '@nestjs/core/injector/module.js';

import { ExtensionProblem } from './extension-problem.js';
import { type LoadedExtension, wordOf } from './loaded-extension.js';

/** The extensions of this process. */
@Injectable()
export class Extensions {
  constructor(private readonly extensions: readonly LoadedExtension[]) {}

  all(): readonly LoadedExtension[] {
    return this.extensions;
  }

  /** Whose module that is; null for one of ours. */
  ownerOf(module: Module | undefined): LoadedExtension | null {
    return this.extensions.find(({ modules }) => modules.has(module?.metatype)) ?? null;
  }

  /**
   * Holds an extension to its own name, so that what it adds can be nobody else's, now or later.
   *
   * @param what is checked, such as `the event type`
   * @throws ExtensionProblem where its name begins otherwise
   */
  assertOwn(module: Module | undefined, what: string, name: string): void {
    const owner = this.ownerOf(module);
    const begins = owner && `${wordOf(owner.name)}.`;
    if (!begins || (typeof name === 'string' && name.startsWith(begins))) return;
    throw new ExtensionProblem(owner.reference, `${what} "${name}" has to begin with "${begins}".`);
  }
}
