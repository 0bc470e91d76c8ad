import { expect, it } from 'vitest';

import { template } from './support/chart.js';

/** A change to the least values, and what is said of it. */
const REFUSED: [change: string, says: string][] = [
  ['image.repository=""', 'image.repository: name the image'],
  ['existingSecret=""', 'existingSecret: name a secret'],
  ['settings.GATEHOUSE_BASE_URL=""', 'settings.GATEHOUSE_BASE_URL: give the address'],
  ['files.location=""', 'files: give exactly one'],
  ['files.claim.existing="shared"', 'files: give exactly one'],
  ['files.claim.storageClass="fast"', 'goes with claim.size only'],
  ['networkPolicy.database.to=[]', 'networkPolicy.database.to: say where the database is'],
  ['worker.autoscaling={"min":5,"max":2}', 'min is more than max'],
  ['worker.autoscaling.by="keda"', 'serverAddress: give the address of Prometheus'],
  ['backup={"schedule":"30 2 * * *","claim":{"size":"1Gi"}}', 'backup.keySecret: name a secret'],
  ['backup={"schedule":"30 2 * * *","keySecret":"key"}', 'backup.claim: give exactly one'],
  ['backup.schedule="daily"', 'schedule'],
  ['sandbox.appArmor.type="Localhost"', 'sandbox.appArmor'],
  ['extraEnv=[{"name":"GATEHOUSE_ROLE","value":"all"}]', 'GATEHOUSE_ROLE is a setting'],
  ['extraEnv=[{"name":"PORT","value":"80"}]', 'PORT is a setting'],
  // What can not be said at all: a directory of one pod, a container with rights, a part of a policy.
  ['files.location="file:/data/files"', '/files/location'],
  ['files.claim.accessMode="ReadWriteOnce"', 'accessMode'],
  ['settings.GATEHOUSE_FILES="file:/data/files"', 'GATEHOUSE_FILES'],
  ['settings.GATEHOUSE_ROLE="all"', 'GATEHOUSE_ROLE'],
  ['settings.GATEHOUSE_DRAIN_SECONDS=10', 'GATEHOUSE_DRAIN_SECONDS'],
  ['settings.GATEHOUSE_TYPO="x"', 'GATEHOUSE_TYPO'],
  ['settings.GATEHOUSE_DATABASE_POOL=1', 'GATEHOUSE_DATABASE_POOL'],
  ['worker.privileged=true', 'privileged'],
  ['worker.securityContext={}', 'securityContext'],
  ['sandbox.seccompProfile="../../etc/x.json"', 'seccompProfile'],
  ['sandbox.seccompProfile="$(reboot).json"', 'seccompProfile'],
  ['worker.autoscaling.min=0', 'min'],
  ['worker.drainSeconds=4000', 'drainSeconds'],
  ['networkPolicy.enabled="yes"', 'networkPolicy'],
  ['networkPolicy.exceptions=["fd00::/8"]', 'exceptions'],
  ['extraVolumeMounts=[{"name":"x","mountPath":"/data/x","readOnly":true}]', 'mountPath'],
  ['extraVolumeMounts=[{"name":"x","mountPath":"/etc/x","readOnly":false}]', 'readOnly'],
];

it.each(REFUSED)('refuses %s', async (change, says) => {
  const { code, stdout, stderr } = await template('least', change);
  expect(stderr).toContain(says);
  expect(code).toBe(1);
  expect(stdout).toBe('');
});

it('says everything that is wrong at once', async () => {
  const { stderr } = await template('least', 'image.repository=""', 'existingSecret=""', 'files.location=""');
  for (const name of ['image.repository', 'existingSecret', 'files']) expect(stderr).toContain(`  ${name}:`);
});

it('does not put an ingress before a path', async () => {
  const { stderr } = await template('every-setting', 'ingress.enabled=true');
  expect(stderr).toContain('ingress.enabled: an Ingress cannot take the path');
});
