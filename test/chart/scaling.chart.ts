import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { Release } from './support/chart.js';

const SCALE_DOWN = {
  scaleDown: {
    stabilizationWindowSeconds: 300,
    policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }],
  },
};

it('has as many workers as are asked for, and takes down one pod at a time', async () => {
  const release = await Release.of('least', 'worker.replicas=3');
  expect(release.get('Deployment', 'worker').spec.replicas).toBe(3);
  for (const component of ['api', 'worker']) {
    const { spec } = release.get('PodDisruptionBudget', component);
    expect(spec.maxUnavailable).toBe(1);
    expect(spec.selector).toEqual(release.get('Deployment', component).spec.selector);
  }
});

it.each(['hpa', 'keda'])('leaves the number of workers to the autoscaler of %s', async (set) => {
  const release = await Release.of(set);
  expect(release.get('Deployment', 'worker').spec).not.toHaveProperty('replicas');
  expect(release.get('Deployment', 'api').spec.replicas).toBe(2);
});

it('has workers by an external metric', async () => {
  const { spec } = (await Release.of('hpa')).get('HorizontalPodAutoscaler', 'worker');
  expect(spec).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'house-gatehouse-worker' },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [
      {
        external: {
          metric: {
            name: 'gatehouse_runs_unfinished',
            selector: { matchLabels: { namespace: 'houses' } },
          },
          target: { type: 'AverageValue', averageValue: '6' },
        },
      },
    ],
    behavior: SCALE_DOWN,
  });
});

it('has workers by what KEDA asks Prometheus', async () => {
  const { spec } = (await Release.of('keda')).get('ScaledObject', 'worker');
  expect(spec).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'house-gatehouse-worker' },
    minReplicaCount: 2,
    maxReplicaCount: 40,
    advanced: { horizontalPodAutoscalerConfig: { behavior: SCALE_DOWN } },
  });
  const [trigger] = spec.triggers;
  expect(trigger).toMatchObject({ metadata: { threshold: '8' }, authenticationRef: { name: 'prometheus' } });
  const metrics = trigger.metadata.query.match(/gatehouse_\w+/g) as string[];
  expect(metrics).toEqual(['gatehouse_runs_queued', 'gatehouse_runs_executing']);
  const source = readFileSync('src/runs/run-metrics.ts', 'utf8');
  for (const metric of metrics) expect(source).toContain(`'${metric}'`);
});
