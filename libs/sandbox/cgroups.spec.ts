import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from './box.js';
import { parseMembership, parseMounts, visibleDirectory } from './cgroups.js';
import { findGroups } from './find-groups.js';
import { freeIn, freeMemory } from './free-memory.js';
import { ownName, parseOwner, stateOf } from './ownership.js';

describe('reading where cgroups are', () => {
  it('understands mounts, with escapes and optional fields', () => {
    const text = [
      '35 31 0:31 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory',
      '36 31 0:32 /docker/ab /sys/fs/with\\040space ro - cgroup2 cgroup2 rw,nsdelegate',
    ].join('\n');
    expect(parseMounts(text)).toEqual([
      { root: '/', path: '/sys/fs/cgroup/memory', type: 'cgroup', options: ['rw', 'memory'] },
      { root: '/docker/ab', path: '/sys/fs/with space', type: 'cgroup2', options: ['rw', 'nsdelegate'] },
    ]);
  });

  it('understands membership of both versions', () => {
    const membership = parseMembership('5:cpu,cpuacct:/a\n4:memory:/b:c\n1:name=systemd:/\n0::/user.slice\n');
    expect(membership.get('cpu')).toBe('/a');
    expect(membership.get('cpuacct')).toBe('/a');
    expect(membership.get('memory')).toBe('/b:c');
    expect(membership.get('')).toBe('/user.slice');
  });

  it('finds the directory of a membership, also where a container sees a part only', () => {
    const mount = { root: '/', path: '/cg', type: 'cgroup2', options: [] };
    expect(visibleDirectory(mount, '/a/b')).toBe('/cg/a/b');
    expect(visibleDirectory(mount, '/')).toBe('/cg');
    expect(visibleDirectory({ ...mount, root: '/docker/x' }, '/docker/x/y')).toBe('/cg/y');
    expect(visibleDirectory({ ...mount, root: '/docker/x' }, '/docker/xyz')).toBe('/cg');
    expect(visibleDirectory({ ...mount, root: '/docker/x' }, '/docker/x')).toBe('/cg');
  });
});

describe('names of what a worker leaves', () => {
  it('tell whether their worker is alive', () => {
    const own = parseOwner(`${ownName()}-7`);
    expect(own?.pid).toBe(process.pid);
    expect(own && stateOf(own)).toBe('alive');
    expect(own && stateOf({ ...own, startTime: '1' })).toBe('gone');
    expect(own && stateOf({ ...own, pidNamespace: '1' })).toBe('unknown');
  });

  it('are not read into others', () => {
    expect(parseOwner('cgroup.procs')).toBeNull();
    expect(parseOwner('1-2')).toBeNull();
  });
});

describe('the memory of a cgroup', () => {
  it('is limited to less as well as to more', () => {
    const tree = findGroups('sandbox');
    if (!tree) return;
    const group = tree.create(`${ownName()}-limited`, DEFAULT_LIMITS);
    try {
      for (const mebibytes of [600, 500, 700])
        expect(() => group.memory.limit(mebibytes << 20)).not.toThrow();
      expect(group.memory.used()).toBe(0);
    } finally {
      group.directories.forEach((directory) => rmdirSync(directory));
      tree.dispose();
    }
  });

  it('is free as far as the kernel only keeps files in it', () => {
    const tree = findGroups('sandbox');
    if (!tree) return;
    const group = tree.create(`${ownName()}-files`, { ...DEFAULT_LIMITS, memoryBytes: 300 << 20 });
    const folder = mkdtempSync(join(tmpdir(), 'files-'));
    try {
      const [directory] = group.directories.filter((path) => freeIn(path) < Infinity);
      expect(freeIn(directory!)).toBe(300 << 20);
      const joins = group.join.map((file) => `echo $$ > ${file}`).join(';');
      const reads = `head -c 100M /dev/zero > ${folder}/file; cat ${folder}/file > /dev/null`;
      execFileSync('sh', ['-c', `${joins}; ${reads}`]);
      expect(freeIn(directory!)).toBeGreaterThan(280 << 20);
      expect(freeMemory()).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true });
      group.directories.forEach((path) => rmdirSync(path));
      tree.dispose();
    }
  });
});
