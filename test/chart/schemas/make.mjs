/**
 * Writes the schemas beside it: `node test/chart/schemas/make.mjs`. They are made of what Kubernetes and KEDA publish of their
 * interfaces in their Go modules (both under the Apache License 2.0), one file for each kind that the chart makes, each with all
 * that it refers to. What only documents is left out, and fields that an object does not have are not allowed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

const KUBERNETES = 'k8s.io/kubernetes@v1.37.2';
const KEDA = 'github.com/kedacore/keda/v2@v2.21.0';

const KINDS = [
  ['', 'v1', 'PersistentVolumeClaim'],
  ['', 'v1', 'Service'],
  ['', 'v1', 'ServiceAccount'],
  ['apps', 'v1', 'DaemonSet'],
  ['apps', 'v1', 'Deployment'],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler'],
  ['batch', 'v1', 'CronJob'],
  ['networking.k8s.io', 'v1', 'Ingress'],
  ['networking.k8s.io', 'v1', 'NetworkPolicy'],
  ['policy', 'v1', 'PodDisruptionBudget'],
];

const { definitions } = JSON.parse(
  readFileSync(join(moduleDirectory(KUBERNETES), 'api/openapi-spec/swagger.json'), 'utf8'),
);
for (const [group, version, kind] of KINDS) {
  const isIt = (known) => known.group === group && known.version === version && known.kind === kind;
  const [name] = Object.entries(definitions).find(([, { 'x-kubernetes-group-version-kind': kinds }]) =>
    kinds?.some(isIt),
  );
  write(group, version, kind, standalone(name));
}

const scaledObject = parse(
  readFileSync(join(moduleDirectory(KEDA), 'config/crd/bases/keda.sh_scaledobjects.yaml'), 'utf8'),
);
const { name: version, schema } = scaledObject.spec.versions.at(-1);
const { properties, ...rest } = strict(schema.openAPIV3Schema);
const metadata = standalone('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
write(scaledObject.spec.group, version, scaledObject.spec.names.kind, {
  ...rest,
  properties: { ...properties, metadata: { $ref: metadata.$ref } },
  definitions: metadata.definitions,
});

function moduleDirectory(module) {
  return JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' })).Dir;
}

/** A definition with those that it refers to, however far away. */
function standalone(name) {
  const used = {};
  const add = (part) => {
    if (part in used) return;
    used[part] = strict(definitions[part]);
    for (const [, reference] of JSON.stringify(used[part]).matchAll(/"#\/definitions\/([^"]+)"/g))
      add(reference);
  };
  add(name);
  return { $ref: `#/definitions/${name}`, definitions: used };
}

/** Without words and marks, and closed. */
function strict(schema) {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string']) {
    return { type: ['string', 'integer'] };
  }
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      result.properties = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, strict(part)]),
      );
    } else if (!['description', 'format', 'default'].includes(key) && !key.startsWith('x-')) {
      result[key] = strict(value);
    }
  }
  if (result.properties && !schema['x-kubernetes-preserve-unknown-fields'])
    result.additionalProperties ??= false;
  return result;
}

/** Under the name by which kubeconform looks for it. */
function write(group, version, kind, schema) {
  const name = [kind.toLowerCase(), group.split('.')[0], version].filter((part) => part !== '').join('-');
  const document = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
  writeFileSync(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(document, null, 1)}\n`);
}
