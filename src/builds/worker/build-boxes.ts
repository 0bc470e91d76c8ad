import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { type RemoteGate, parseHost } from '../../../libs/egress/index.js';
import { type BoxExit, type BoxedProcess, type BoxNetwork, Sandbox } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/index.js';
import { GateProcessService } from '../../core/worker/index.js';
import type { Registries } from '../registries/registries.js';

export const MOST_BUILDS = 2;

/** An operator's mirror may have any address. The way out is limited by name instead: to the registries, which scripts do not choose. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];
const PYTHON_RUNTIME =
  "import platform; print('python-' + platform.python_version(), '-'.join(platform.libc_ver()))";

/** The boxes of installations and their gates. They are apart from those of runs, so that neither waits for the other. */
@Injectable()
export class BuildBoxes implements OnApplicationShutdown {
  sandbox!: Sandbox;

  constructor(
    private readonly gateProcess: GateProcessService,
    private readonly settings: Settings,
  ) {}

  async open(): Promise<void> {
    this.sandbox = await Sandbox.open({
      cgroupName: 'gatehouse-builds',
      maxSlots: MOST_BUILDS,
      warmSlots: 0,
      stateDirectory: join(this.settings.dataDirectory, 'boxes'),
    });
  }

  /** What is installed here fits wherever this is the same: system, Node, Python and the C library. */
  async runtime(): Promise<string> {
    const { python } = this.sandbox.runtimes;
    const known = python && (await promisify(execFile)(python, ['-c', PYTHON_RUNTIME]));
    const words = [`${process.platform}-${process.arch}`, `node-${process.version}`];
    return [...words, known ? known.stdout.trim() : 'no python'].join(' ');
  }

  /** A gate that leads to the registries and nowhere else. */
  openGate({ access, ca }: Registries, log: (line: string) => void): BuildGate {
    const { hosts, origins, secrets } = access;
    const gate = this.gateProcess.process.open({ hosts, origins, secrets, allow: EVERYWHERE, ca }, { log });
    const patterns = hosts.map((host) => parseHost(host));
    return new BuildGate(gate, {
      ports: [...new Set([443, ...patterns.map(({ port }) => port)])],
      names: [...new Set(patterns.map(({ name }) => name))],
      caPem: this.gateProcess.process.certificate,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sandbox?.close();
  }
}

/** The only way out of an installation's box. */
class BuildGate {
  constructor(
    private readonly gate: RemoteGate,
    readonly network: BoxNetwork,
  ) {}

  /** Takes over the sockets that listen in the box. */
  async attach(box: BoxedProcess): Promise<void> {
    const sockets = await box.network;
    if (!sockets) return;
    for (const { handle, port } of sockets.servers) this.gate.serve(handle, port);
    this.gate.serveDns(sockets.dns);
  }

  /** What the box tried beside the gate. */
  noteRefused({ refusedPorts }: BoxExit): void {
    for (const { port, attempts } of refusedPorts) this.gate.refusedPort(port, attempts);
  }

  async close(): Promise<void> {
    await this.gate.close();
  }
}
