import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { eventually } from '../security/support/attack.js';
import { gatePid, starterPid } from '../security/support/gate-pids.js';
import { startGatehouse } from '../support/gatehouse.js';

describe("the gate's process", () => {
  it.each(['SIGKILL', 'SIGINT'] as const)('ends with its worker, ended by %s', async (signal) => {
    const gatehouse = await startGatehouse();
    const worker = gatehouse.process.pid!;
    const pids = [gatePid(worker)!, starterPid(worker)!];
    // Those are for the worker, which drains first.
    for (const pid of pids) for (const other of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, other);
    expect((await fetch(`${gatehouse.baseUrl}/health/ready`)).status).toBe(200);
    expect([gatePid(worker), starterPid(worker)]).toEqual(pids);
    if (signal === 'SIGKILL') await gatehouse.kill();
    await gatehouse.stop();
    await eventually(() => pids.every((pid) => !existsSync(`/proc/${pid}`)));
  });
});
