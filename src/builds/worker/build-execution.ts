import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { SecretPatterns, valuesOfSecret } from '../../../libs/egress/index.js';
import {
  BUILD_LIMITS,
  BUILD_TIMEOUT_MS,
  type BoxExit,
  type BoxedProcess,
  removeTree,
} from '../../../libs/sandbox/index.js';
import type { BlobStore } from '../../core/storage/index.js';
import {
  inspectArchive,
  MAX_ARCHIVE_BYTES,
  readArchiveFile,
  unpackArchive,
} from '../../../libs/archive/index.js';
import { MAX_LAYER_BYTES, MAX_LAYER_ENTRIES, UnusableLayer } from '../layer/layer-limits.js';
import { packTree } from '../layer/pack-tree.js';
import { scanTree } from '../layer/scan-tree.js';
import type { Registries, RegistryReader } from '../registries/registries.js';
import type { BuildBoxes } from './build-boxes.js';
import type { BuildEnd } from './build-claims.repository.js';
import type { ClaimedBuild } from './build-claims.sql.js';
import { BuildFailure, judgeInstall } from './build-failure.js';
import {
  INSTALLED,
  NPM_CONFIG,
  PIP_CONFIG,
  SCRATCH,
  installCommand,
  installEnvironment,
} from './install-command.js';
import { LogTail } from './log-tail.js';

/** While it goes on, an installation may hold downloads and build trees besides what it leaves. */
const WRITABLE = { maxBytes: 3 * MAX_LAYER_BYTES, maxFiles: 2 * MAX_LAYER_ENTRIES };
const MOST_PACKED_BYTES = 2 ** 31 - 1 - MAX_ARCHIVE_BYTES;

interface BuildParts {
  boxes: BuildBoxes;
  registries: RegistryReader;
  blobs: BlobStore;
  /** A folder of its own, which is not there yet. */
  directory: string;
}

/** One installation on its way through this worker: unpacked, boxed, packed. */
export class BuildExecution {
  /** The registries' credentials never enter the box. Should one appear in what it prints all the same, it is masked. */
  private credentials = new SecretPatterns([]);
  private readonly log = new LogTail((text) => this.credentials.mask(text));
  private readonly app: string;
  private readonly inputs: string;
  private box: BoxedProcess | null = null;
  private stopped = false;

  constructor(
    readonly build: ClaimedBuild,
    private readonly parts: BuildParts,
  ) {
    this.app = join(parts.directory, 'app');
    this.inputs = join(parts.directory, 'inputs');
  }

  /** Ends it; `execute` then resolves with null. */
  stop(): void {
    this.stopped = true;
    this.box?.kill();
  }

  /** Resolves with null where it was stopped. */
  async execute(): Promise<BuildEnd | null> {
    try {
      const stored = await this.carryOut();
      if (this.stopped || !stored) return null;
      return { status: 'succeeded', log: String(this.log), depsKey: stored.key, depsBytes: stored.size };
    } catch (error) {
      if (this.stopped) return null;
      if (!(error instanceof BuildFailure || error instanceof UnusableLayer)) throw error;
      const message =
        error instanceof UnusableLayer ? `the installation cannot be kept: ${error.message}` : error.message;
      return { status: 'failed', log: String(this.log), error: message };
    } finally {
      await removeTree(this.parts.directory);
    }
  }

  private async carryOut(): Promise<{ key: string; size: number } | null> {
    const { boxes, registries } = this.parts;
    await this.layOut();
    const known = await registries.read(boxes.runtimes.python);
    this.credentials = new SecretPatterns(known.access.secrets.flatMap(valuesOfSecret));
    this.checkClients(known);
    await this.configure(known);
    if (this.stopped) return null;
    judgeInstall(await this.runBehindGate(known));
    return this.keep();
  }

  /** Unpacks the whole archive, or only the files that the content key counts. */
  private async layOut(): Promise<void> {
    const { files } = this.build.recipe;
    const chunks: Buffer[] = [];
    for await (const chunk of await this.parts.blobs.read(this.build.archiveKey))
      chunks.push(chunk as Buffer);
    const archive = await inspectArchive(Buffer.concat(chunks));
    await makeFolder(this.parts.directory);
    if (files === null) return unpackArchive(archive, this.app);
    await makeFolder(this.app);
    for (const name of files) {
      const content = await readArchiveFile(archive, name, MAX_ARCHIVE_BYTES * 4);
      if (content) await writeReadable(join(this.app, name), content);
    }
  }

  /** The usual installation cannot do without its client; a command may. */
  private checkClients({ pip, npm }: Registries): void {
    const { recipe } = this.build;
    if (recipe.python !== null && 'missing' in pip)
      throw new BuildFailure(
        `this worker cannot install for Python: ${pip.missing}. Its operator has to install pip (python3-pip)`,
      );
    if (recipe.npm && 'missing' in npm)
      throw new BuildFailure(`this worker cannot install for Node: ${npm.missing}`);
  }

  private async configure({ pip, npm }: Registries): Promise<void> {
    await makeFolder(this.inputs);
    await writeReadable(join(this.inputs, PIP_CONFIG), 'config' in pip ? pip.config : '');
    await writeReadable(join(this.inputs, NPM_CONFIG), 'config' in npm ? npm.config : '');
  }

  private async runBehindGate(registries: Registries): Promise<BoxExit> {
    const sandbox = await this.parts.boxes.sandbox();
    const gate = this.parts.boxes.openGate(registries, (line) => this.log.note(line));
    try {
      const box = sandbox.run({
        argv: installCommand(this.build.recipe, sandbox.runtimes.bash),
        env: installEnvironment(),
        app: this.app,
        inputs: this.inputs,
        timeoutMs: BUILD_TIMEOUT_MS,
        limits: BUILD_LIMITS,
        network: gate.network,
        writableApp: WRITABLE,
      });
      this.box = box;
      try {
        if (this.stopped) box.kill();
        const reading = [this.record(box.stdout, 'out'), this.record(box.stderr, 'err')];
        const [exit] = await Promise.all([box.exited, gate.attach(box), ...reading]);
        gate.noteRefused(exit);
        return exit;
      } finally {
        await box.dispose();
      }
    } finally {
      await gate.close();
    }
  }

  private record(stream: NodeJS.ReadableStream, name: string): Promise<void> {
    stream.on('data', (chunk: Buffer) => this.log.push(chunk, name));
    return new Promise((done) => {
      for (const end of ['end', 'close', 'error']) stream.once(end, () => done());
    });
  }

  private async keep(): Promise<{ key: string; size: number }> {
    await removeTree(join(this.app, SCRATCH));
    const whole = this.build.recipe.files === null;
    const { entries, dropped } = await scanTree(this.app, whole ? {} : { tops: INSTALLED });
    for (const line of dropped) this.log.note(line);
    return this.parts.blobs.writeContent(packTree(this.app, entries), { maxBytes: MOST_PACKED_BYTES });
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}

async function writeReadable(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content);
  await chmod(path, 0o644);
}
