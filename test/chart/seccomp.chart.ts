import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';

const docker = JSON.parse(readFileSync('deploy/seccomp.json', 'utf8')) as Json;
const resolve = (...parameters: string[]) =>
  promisify(execFile)(process.execPath, ['deploy/kubelet-seccomp.mjs', ...parameters]);

/** Calls that a rule allows with some arguments at least. */
const allowed = (rules: Json[]): Set<string> =>
  new Set(rules.flatMap(({ action, names }) => (action === 'SCMP_ACT_ALLOW' ? names : []) as string[]));

describe.each([
  ['amd64', ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'], 'arch_prctl'],
  ['arm64', ['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'], 'set_tls'],
])('the profile as a kubelet takes it, for %s', (processor, architectures, own) => {
  it('says nothing that a runtime on Kubernetes would overlook', async () => {
    const profile = JSON.parse((await resolve(processor)).stdout) as Json;
    expect(Object.keys(profile).sort()).toEqual([
      ...['architectures', 'defaultAction', 'defaultErrnoRet', 'syscalls'],
    ]);
    expect(profile).toMatchObject({
      architectures,
      defaultAction: 'SCMP_ACT_ERRNO',
      defaultErrnoRet: docker.defaultErrnoRet,
    });
    for (const rule of profile.syscalls) {
      expect(['names', 'action', 'errnoRet', 'args']).toEqual(expect.arrayContaining(Object.keys(rule)));
    }
  });

  it('has no rule that is for containers with a capability, or for other processors', async () => {
    const { syscalls } = JSON.parse((await resolve(processor)).stdout) as Json;
    const forCapabilities = docker.syscalls.filter(({ includes }: Json) => includes?.caps);
    const forAll = docker.syscalls.filter(({ includes }: Json) => !includes?.caps);
    for (const name of allowed(forCapabilities)) {
      if (!allowed(forAll).has(name)) expect(allowed(syscalls).has(name), name).toBe(false);
    }
    for (const name of ['bpf', 'perf_event_open', 'fsopen', 'reboot', 'clone3']) {
      expect(allowed(syscalls).has(name), name).toBe(false);
    }
    // Each rule that allows one of these by some arguments only.
    for (const name of ['clone', 'setns']) {
      const rules = syscalls.filter(({ names }: Json) => names.includes(name));
      expect(rules.length).toBeGreaterThan(0);
      for (const { args } of rules) expect(args, name).toHaveLength(1);
    }
    expect(allowed(syscalls).has(own)).toBe(true);
    expect(allowed(syscalls).has('s390_pci_mmio_read')).toBe(false);
    expect(syscalls).toContainEqual({ names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 });
  });
});

it('is made for no processor of which the profile was not tried', async () => {
  await expect(resolve('riscv64')).rejects.toMatchObject({ code: 1 });
});
