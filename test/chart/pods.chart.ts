import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { Release, SETS, template } from './support/chart.js';

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

describe.each(SETS)('pods with the values of %s', (set) => {
  it.each(['api', 'worker'])('give the %s no right and no token', async (component) => {
    const pod = (await Release.of(set)).pod(component);
    expect(pod).toMatchObject({
      hostUsers: false,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
    });
    expect(pod).not.toHaveProperty('hostNetwork');
    expect(pod).not.toHaveProperty('hostPID');
    expect(pod.containers).toHaveLength(1);
    expect(pod.containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.containers[0]).not.toHaveProperty('command');
    expect(pod.containers[0]).not.toHaveProperty('args');
    expect(pod.volumes.filter((volume: object) => 'hostPath' in volume)).toEqual([]);
  });

  it('open to the worker’s sandbox what it needs, and nothing to the API', async () => {
    const release = await Release.of(set);
    expect(release.pod('worker').containers[0].securityContext).toMatchObject({
      procMount: 'Unmasked',
      seccompProfile: { type: 'Localhost', localhostProfile: expect.stringMatching(/\.json$/) as string },
    });
    const api = release.pod('api');
    expect(api.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    for (const opened of ['procMount', 'seccompProfile', 'appArmorProfile']) {
      expect(api.containers[0].securityContext).not.toHaveProperty(opened);
    }
  });

  it('are asked how they are', async () => {
    const release = await Release.of(set);
    for (const component of ['api', 'worker']) {
      const [container] = release.pod(component).containers;
      expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
      expect(container.startupProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
      const port = { api: 'PORT', worker: 'GATEHOUSE_WORKER_PORT' }[component]!;
      const listens = container.env.find(({ name }: { name: string }) => name === port);
      expect(container.ports).toEqual([{ name: 'http', containerPort: Number(listens.value) }]);
    }
  });

  it('have as long to end as scripts are waited for, and half a minute', async () => {
    const release = await Release.of(set);
    const drain = Number(release.environment('worker').settings['GATEHOUSE_DRAIN_SECONDS']);
    expect(release.pod('worker').terminationGracePeriodSeconds).toBe(drain + 30);
  });
});

describe('AppArmor', () => {
  it.each([
    ['least', { type: 'Unconfined' }],
    ['hpa', { type: 'Localhost', localhostProfile: 'gatehouse' }],
    ['every-setting', undefined],
  ])('is as the values of %s say', async (set, profile) => {
    const { securityContext } = (await Release.of(set)).pod('worker').containers[0];
    expect(securityContext.appArmorProfile).toEqual(profile);
  });
});

describe('an image', () => {
  it.each([
    ['least', `registry.example.com/gatehouse:${version}`],
    ['in-cluster', 'registry.example.com:5000/team/gatehouse:v1.4.0'],
    ['hpa', `registry.example.com/gatehouse@sha256:${'0123456789abcdef'.repeat(4)}`],
  ])('is named as in %s', async (set, image) => {
    expect((await Release.of(set)).pod('worker').containers[0].image).toBe(image);
  });
});

describe('files', () => {
  it('are in a bucket, or on a volume that every pod may write to', async () => {
    const bucket = await Release.of('keda');
    expect(bucket.environment('worker').settings['GATEHOUSE_FILES']).toBe('s3://gatehouse/files');
    const made = await Release.of('in-cluster');
    expect(made.get('PersistentVolumeClaim', 'files')).toMatchObject({
      metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } },
      spec: { accessModes: ['ReadWriteMany'], storageClassName: 'cephfs' },
    });
    const given = await Release.of('hpa');
    expect(given.find('PersistentVolumeClaim', 'files')).toBeUndefined();
    for (const [release, claimName] of [
      [made, 'house-gatehouse-files'],
      [given, 'shared-files'],
    ] as const) {
      for (const component of ['api', 'worker'] as const) {
        expect(release.environment(component).settings['GATEHOUSE_FILES']).toBe('file:/files');
        const pod = release.pod(component);
        expect(pod.containers[0].volumeMounts).toContainEqual({ name: 'files', mountPath: '/files' });
        expect(pod.volumes).toContainEqual({ name: 'files', persistentVolumeClaim: { claimName } });
      }
    }
  });
});

describe('the job that proves the walls', () => {
  it('is there only where it is asked for', async () => {
    for (const set of SETS) {
      expect((await Release.of(set)).find('CronJob', 'proof') !== undefined, set).toBe(set === 'in-cluster');
    }
  });

  it('has a pod as a worker has, which asks nobody and fails at once', async () => {
    const release = await Release.of('in-cluster');
    const { spec } = release.get('CronJob', 'proof');
    expect(spec).toMatchObject({ schedule: '0 5 * * *', concurrencyPolicy: 'Forbid' });
    expect(spec.jobTemplate.spec.backoffLimit).toBe(0);
    const { metadata, spec: pod } = spec.jobTemplate.spec.template;
    expect(metadata.annotations).toEqual({ 'example.com/team': 'security' });
    const worker = release.pod('worker');
    expect(pod).toMatchObject({
      hostUsers: false,
      restartPolicy: 'Never',
      securityContext: worker.securityContext,
    });
    const [container] = pod.containers;
    const [{ securityContext, env, image, resources, volumeMounts }] = worker.containers;
    expect(container).toMatchObject({ securityContext, env, image, resources, volumeMounts });
    expect(container.args).toEqual(['node', 'dist/src/admin.js', 'prove']);
    expect(pod.volumes).toEqual(worker.volumes);
    const policy = release.get('NetworkPolicy', 'proof');
    expect(policy.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [] });
    expect(metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
  });

  it('takes a schedule as cron has it', async () => {
    const { code, stderr } = await template('least', 'proof.schedule="daily"');
    expect(code).not.toBe(0);
    expect(stderr).toContain('schedule');
  });
});

describe('the pod that places the profile', () => {
  it('is there only where it is asked for', async () => {
    for (const set of SETS) {
      expect((await Release.of(set)).find('DaemonSet', 'seccomp') !== undefined, set).toBe(set === 'keda');
    }
  });

  it('writes to that directory and can do nothing else', async () => {
    const release = await Release.of('keda');
    const pod = release.pod('seccomp');
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.volumes).toEqual([
      { name: 'seccomp', hostPath: { path: '/var/lib/kubelet/seccomp', type: 'DirectoryOrCreate' } },
    ]);
    expect(pod.initContainers[0]).toMatchObject({
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsUser: 0 },
      env: [{ name: 'PROFILE', value: 'gatehouse/worker.json' }],
    });
    expect(pod.containers[0]).toMatchObject({ securityContext: { runAsNonRoot: true, runAsUser: 1000 } });
    expect(pod.containers[0]).not.toHaveProperty('volumeMounts');
    expect(release.get('NetworkPolicy', 'seccomp').spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
    });
    expect(release.get('NetworkPolicy', 'seccomp').spec).not.toHaveProperty('egress');
    const { nodeSelector, tolerations } = release.pod('worker');
    expect(pod).toMatchObject({ nodeSelector, tolerations });
  });

  it('places the image’s file whole', async () => {
    const { command } = (await Release.of('keda')).pod('seccomp').initContainers[0];
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-chart-'));
    try {
      const brought = join(directory, 'brought.json');
      await writeFile(brought, '{"defaultAction":"SCMP_ACT_ERRNO"}');
      const there = command[2]
        .replaceAll('/app/seccomp.json', brought)
        .replaceAll('"/seccomp/', `"${directory}/`);
      const env = { PATH: process.env['PATH'], PROFILE: 'gatehouse/worker.json' };
      await promisify(execFile)(command[0], [command[1], there], { env });
      expect(await readFile(join(directory, 'gatehouse/worker.json'), 'utf8')).toBe(
        await readFile(brought, 'utf8'),
      );
      expect(await readdir(join(directory, 'gatehouse'))).toEqual(['worker.json']);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
