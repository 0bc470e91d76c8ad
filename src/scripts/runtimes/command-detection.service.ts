import { Injectable, Logger } from '@nestjs/common';

import { type InspectedArchive, readArchiveFile } from '../../../libs/archive/index.js';
import {
  detectCommand,
  type Folder,
  MAX_COMMAND_LENGTH,
  parseCommand,
  refuseWithoutCommand,
} from '../../../libs/command/index.js';
import { InvalidInput } from '../../../libs/invalid-input/index.js';
import { ProblemError, Unavailable } from '../../core/errors/index.js';
import { failureOf } from '../../core/extension-calls/index.js';
import { inTime } from '../../core/time-limit/index.js';
import type { RuntimeProvider, ScriptFolder } from './runtime.js';
import { ScriptRuntimes } from './script-runtimes.js';

const LONGEST_MS = 5_000;
const MOST_READ_BYTES = 1024 * 1024;

/** Works out the command of a version for which none was given. */
@Injectable()
export class CommandDetectionService {
  private readonly logger = new Logger('Scripts');

  constructor(private readonly runtimes: ScriptRuntimes) {}

  /**
   * What Gatehouse finds itself, and only where that is nothing, what the first runtime of an extension does.
   *
   * @throws InvalidInput at `command`, saying what was looked for
   * @throws Unavailable where a runtime fails
   */
  async commandOf(archive: InspectedArchive): Promise<string> {
    const folder: Folder = {
      files: archive.files.map(({ path }) => path),
      packageJson: archive.manifests['package.json'],
      nodeVersion: process.versions.node,
    };
    const found = detectCommand(folder);
    if (found !== null) return found;
    const runtimes = this.runtimes.all();
    for (const [name, runtime] of runtimes) {
      const command = await this.ask(name, runtime, archive);
      if (command !== null) return command;
    }
    return refuseWithoutCommand(
      folder,
      runtimes.map(([name, { looksFor }]) => `The runtime ${name} looked for ${looksFor}.`),
    );
  }

  private async ask(
    name: string,
    runtime: RuntimeProvider,
    archive: InspectedArchive,
  ): Promise<string | null> {
    const folder: ScriptFolder = {
      files: archive.files.map(({ path }) => path),
      read: async (path) => (await readArchiveFile(archive, path, MOST_READ_BYTES))?.toString('utf8') ?? null,
    };
    try {
      const command = await inTime({ ms: LONGEST_MS }, (signal) => runtime.detect(folder, { signal }));
      return command === null ? null : checked(name, command, runtime.program);
    } catch (error) {
      if (error instanceof ProblemError || error instanceof InvalidInput) throw error;
      this.logger.warn(`The runtime ${name} could not say how a folder is run: ${failureOf(error)}`);
      throw new Unavailable(
        `The runtime ${name} could not say how this folder is run. Say it in "command", or try again later.`,
      );
    }
  }
}

/**
 * What is in the folder may have made it a command that cannot be read, which its owner corrects.
 *
 * @throws InvalidInput at `command`
 * @throws TypeError for what only the runtime can have done wrong
 */
function checked(name: string, command: string, program: string): string {
  if (typeof command !== 'string') throw new TypeError('A runtime gave a command that is no text.');
  if (command.split(' ')[0] !== program) throw new TypeError('A runtime gave a command of another program.');
  const refuse = (why: string): never => {
    const message = `the command that the runtime ${name} worked out cannot be used (${why}); correct what it is made of, or give "command"`;
    throw InvalidInput.at('command', message);
  };
  if (command.length > MAX_COMMAND_LENGTH) refuse(`it is longer than ${MAX_COMMAND_LENGTH} characters`);
  try {
    parseCommand(command);
  } catch (error) {
    if (error instanceof InvalidInput) refuse(error.message);
    throw error;
  }
  return command;
}
