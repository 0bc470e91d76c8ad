import { describe, expect, it } from 'vitest';

import { Release, SETS, lint, template, validate } from './support/chart.js';

const KINDS = [
  ...['CronJob', 'DaemonSet', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy'],
  ...['PersistentVolumeClaim', 'PodDisruptionBudget', 'ScaledObject', 'Service', 'ServiceAccount'],
];

describe.each(SETS)('with the values of %s', (set) => {
  it('passes Helm’s own look at it', async () => {
    expect(await lint(set)).toMatchObject({ code: 0 });
  });

  it('makes objects that Kubernetes takes', async () => {
    const { code, stdout } = await template(set);
    expect(code).toBe(0);
    const validated = await validate(stdout);
    expect(validated.stdout).toMatch(/^Summary: \d+ resources found .* Invalid: 0, Errors: 0, Skipped: 0\n$/);
    expect(validated.code).toBe(0);
  });
});

it('tries five sets, with each kind of object in one of them', async () => {
  expect(SETS).toHaveLength(5);
  const releases = await Promise.all(SETS.map((set) => Release.of(set)));
  const kinds = new Set(releases.flatMap(({ objects }) => objects.map(({ kind }) => kind as string)));
  expect([...kinds].sort()).toEqual(KINDS);
});

it.each([
  ['a field that there is not', 'hostUsers: false', 'hostUser: false'],
  ['a value of the wrong type', 'containerPort: 3000', 'containerPort: http'],
])('would see %s', async (_, right, wrong) => {
  const { stdout } = await template('least');
  expect(stdout).toContain(right);
  const validated = await validate(stdout.replaceAll(right, wrong));
  expect(validated.code).toBe(1);
  expect(validated.stdout).toContain('Invalid: 2');
});

it('puts everything into the release’s namespace, and nothing into the cluster', async () => {
  for (const set of SETS) {
    for (const { kind, metadata } of (await Release.of(set)).objects) {
      expect(metadata.namespace, kind).toBeUndefined();
      expect(kind).not.toMatch(/^(Cluster|Role|Secret|ConfigMap)/);
    }
  }
});

it('keeps names short enough for a long release', async () => {
  const { stdout } = await template('keda', `existingSecret="${'s'.repeat(200)}"`);
  const names = [...stdout.matchAll(/^ {2}name: (\S+)$/gm)].map(([, name]) => name!);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(63);
});
