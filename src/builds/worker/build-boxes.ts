import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { planRuntimes, Sandbox } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/index.js';
import { BoxGate, GateProcessService } from '../../core/worker/index.js';
import type { Registries } from '../registries/registries.js';

export const MOST_BUILDS = 2;

/** An operator's mirror may have any address. The way out is limited by name instead: to the registries, which scripts do not choose. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];
const PYTHON_RUNTIME =
  "import platform; print('python-' + platform.python_version(), '-'.join(platform.libc_ver()))";

/** The boxes of installations and their gates. They are apart from those of runs, so that neither waits for the other. */
@Injectable()
export class BuildBoxes implements OnApplicationShutdown {
  readonly runtimes = planRuntimes(process.execPath).runtimes;
  private opening: Promise<Sandbox> | null = null;

  constructor(
    private readonly gateProcess: GateProcessService,
    private readonly settings: Settings,
  ) {}

  /** Opened by the first build, for most workers see none for a long time. After a failure the next build tries again. */
  async sandbox(): Promise<Sandbox> {
    this.opening ??= Sandbox.open({
      cgroupName: 'gatehouse-builds',
      maxSlots: MOST_BUILDS,
      warmSlots: 0,
      stateDirectory: join(this.settings.dataDirectory, 'boxes'),
    });
    try {
      return await this.opening;
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }

  /** What is installed here fits wherever this is the same: system, Node, Python and the C library. */
  async runtime(): Promise<string> {
    const { python } = this.runtimes;
    const known = python && (await promisify(execFile)(python, ['-c', PYTHON_RUNTIME]));
    const words = [`${process.platform}-${process.arch}`, `node-${process.version}`];
    return [...words, known ? known.stdout.trim() : 'no python'].join(' ');
  }

  /** A gate that leads to the registries and nowhere else. */
  openGate({ access, ca }: Registries, log: (line: string) => void): BoxGate {
    const { hosts, origins, secrets } = access;
    const { process } = this.gateProcess;
    const gate = process.open({ hosts, origins, secrets, allow: EVERYWHERE, ca }, { log });
    return new BoxGate(gate, hosts, process.certificate);
  }

  async onApplicationShutdown(): Promise<void> {
    const sandbox = await this.opening?.catch(() => null);
    await sandbox?.close();
  }
}
