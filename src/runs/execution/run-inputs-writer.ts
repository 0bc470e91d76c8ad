import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { removeTree } from '../../../libs/sandbox/index.js';
import { BlobStore } from '../../core/storage/index.js';
import { Threads } from '../../core/threads/index.js';
import { WorkerDirectory } from '../../core/worker/index.js';
import { RunFilesService } from '../../files/index.js';
import { FILE_FORMAT, isSchemaObject } from '../../../libs/json-schema/index.js';
import { PATIENCE } from '../../core/schema/index.js';
import type { ClaimedRun } from './claimed-run.js';
import { type InputsToRender, type RenderedInputs, renderInputs } from './inputs.thread.js';

/** Readable by all, since the box's user may be any; the folder above keeps everybody else out. */
const DIRECTORY_MODE = 0o755;
const FILE_MODE = 0o644;
/** Names of inputs never begin with a dot, so no folder of an input has this name. */
const ALL_INPUTS = '.inputs.json';
const NO_INPUTS = '{}';
/** Inputs with more bytes are rendered and written in a thread. */
const MOST_AT_ONCE = 64 * 1024;
const LIMIT_MS = 10_000;

export interface PreparedInputs {
  /** Mounted as /inputs. */
  directory: string;
  /** Path in the box of the file with all inputs. */
  jsonPath: string;
  argv: string[];
  dispose(): Promise<void>;
}

/** Writes the folder of a run's inputs: its files, and a JSON file with all inputs. */
@Injectable()
export class RunInputsWriter implements OnModuleInit {
  private root!: string;
  /** Folders that earlier runs have left: making and removing them costs more than what is written there. */
  private readonly empty: string[] = [];
  private made = 0;

  constructor(
    private readonly blobs: BlobStore,
    private readonly files: RunFilesService,
    private readonly directory: WorkerDirectory,
    private readonly threads: Threads,
  ) {}

  async onModuleInit(): Promise<void> {
    this.root = await this.directory.folder('inputs');
  }

  async prepare(run: ClaimedRun): Promise<PreparedInputs> {
    const directory = this.takeFolder();
    const dispose = (): Promise<void> =>
      run.hasFiles || run.keep !== null ? removeTree(directory) : this.clear(directory);
    try {
      const filePaths = run.hasFiles ? await this.layOut(run, directory) : {};
      const { argv, json } = await this.render(run, filePaths);
      const path = join(directory, ALL_INPUTS);
      // What is small is there before a thread would have begun with it.
      if (json.length <= MOST_AT_ONCE) replaceSync(path, json);
      else await replace(path, json);
      return { directory, jsonPath: `/inputs/${ALL_INPUTS}`, argv, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  /** An earlier one may be gone: there are services that clear temporary folders of what is old. */
  private takeFolder(): string {
    const earlier = this.empty.pop();
    return earlier !== undefined && existsSync(join(earlier, ALL_INPUTS)) ? earlier : this.newFolder();
  }

  private newFolder(): string {
    const directory = join(this.root, String(this.made++));
    mkdirSync(directory, { mode: DIRECTORY_MODE });
    writeFileSync(join(directory, ALL_INPUTS), NO_INPUTS, { mode: FILE_MODE });
    return directory;
  }

  /**
   * To be called when nothing of the run's box is left. The folder holds the JSON file alone, and serves again. Never after a process
   * that may stay: pages of a file that lie in a pipe or a socket are the file's own, also once nobody has it open or mounted. So that
   * process would read what is written there later, for anybody.
   */
  private async clear(directory: string): Promise<void> {
    try {
      replaceSync(join(directory, ALL_INPUTS), NO_INPUTS);
      this.empty.push(directory);
    } catch {
      // It is not used again.
      await removeTree(directory).catch(() => undefined);
    }
  }

  private render(run: ClaimedRun, filePaths: InputsToRender['filePaths']): Promise<RenderedInputs> {
    const input: InputsToRender = { command: run.command, inputs: run.inputs, filePaths };
    if (run.inputs.length <= MOST_AT_ONCE) return Promise.resolve(renderInputs(input));
    return this.threads.run<RenderedInputs>({
      module: new URL('./inputs.thread.js', import.meta.url),
      name: 'renderInputs',
      input,
      bytes: 2 * run.inputs.length,
      owner: run.workspaceId,
      limitMs: LIMIT_MS,
      ...PATIENCE.run,
    });
  }

  private async layOut(run: ClaimedRun, directory: string): Promise<InputsToRender['filePaths']> {
    const paths = new Map<string, string[]>();
    for (const { field, name, blobKey } of await this.files.inputsOf(run.id)) {
      const earlier = paths.get(field) ?? [];
      if (earlier.length === 0) await mkdir(join(directory, field), { mode: DIRECTORY_MODE });
      const taken = earlier.includes(`/inputs/${field}/${name}`);
      const file = taken ? `${earlier.length + 1}-${name}` : name;
      await this.blobs.copyToFile(blobKey, join(directory, field, file), FILE_MODE);
      paths.set(field, [...earlier, `/inputs/${field}/${file}`]);
    }
    return Object.fromEntries(
      [...paths].map(([field, list]) => [field, takesOneFile(run.inputSchema, field) ? list[0]! : list]),
    );
  }
}

/** Over what is there, without emptying the file before: file systems write one that was emptied to the disk at once. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'r+' });
  await truncate(path, Buffer.byteLength(text));
}

function replaceSync(path: string, text: string): void {
  const file = openSync(path, 'r+');
  try {
    writeFileSync(file, text);
    ftruncateSync(file, Buffer.byteLength(text));
  } finally {
    closeSync(file);
  }
}

function takesOneFile(schema: Record<string, unknown>, field: string): boolean {
  const properties = schema['properties'];
  const property = isSchemaObject(properties) ? properties[field] : undefined;
  return isSchemaObject(property) && property['format'] === FILE_FORMAT;
}
