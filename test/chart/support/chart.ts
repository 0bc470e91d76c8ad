import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import type { Json } from '../../../libs/testing/index.js';

const CHART = 'deploy/chart';
const VALUES = 'test/chart/values';
const SCHEMAS = 'test/chart/schemas/{{.ResourceKind}}{{.KindSuffix}}.json';
/** The oldest that the chart takes; Helm would ask a cluster otherwise. */
const KUBERNETES = ['--kube-version', '1.33.0'];

/** The names of the sets of values that everything is tried with. */
export const SETS = readdirSync(VALUES).map((file) => file.replace('.yaml', ''));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const lint = (set: string): Promise<Ended> =>
  start('helm', ['lint', '--strict', CHART, ...KUBERNETES, '--values', fileOf(set)]);

/** What Helm would give to the cluster, as text. `changes` are values as `--set-json` takes them. */
export function template(set: string, ...changes: string[]): Promise<Ended> {
  return start('helm', [
    ...['template', 'house', CHART, '--namespace', 'houses', ...KUBERNETES, '--values', fileOf(set)],
    ...changes.flatMap((change) => ['--set-json', change]),
  ]);
}

/** Whether objects are what Kubernetes takes, with no field that it does not know. */
export const validate = (manifest: string): Promise<Ended> =>
  start('kubeconform', ['-strict', '-summary', '-schema-location', SCHEMAS, '-'], manifest);

/** The objects of a release, by kind and name without the release's. */
export class Release {
  private constructor(readonly objects: readonly Json[]) {}

  static async of(set: string, ...changes: string[]): Promise<Release> {
    const { code, stdout, stderr } = await template(set, ...changes);
    if (code !== 0) throw new Error(stderr);
    const documents = parseAllDocuments(stdout, { version: '1.1' });
    return new Release(
      documents.map((document) => document.toJS() as Json).filter((object) => object !== null),
    );
  }

  find(kind: string, component = ''): Json | undefined {
    const name = component === '' ? 'house-gatehouse' : `house-gatehouse-${component}`;
    return this.objects.find((object) => object.kind === kind && object.metadata.name === name);
  }

  get(kind: string, component = ''): Json {
    const object = this.find(kind, component);
    if (!object) throw new Error(`No ${kind} ${component}`);
    return object;
  }

  /** What a Deployment or DaemonSet says of its pods. */
  pod(component: string): Json {
    return this.get(component === 'seccomp' ? 'DaemonSet' : 'Deployment', component).spec.template.spec;
  }

  /** The environment of a component: settings by their values, and secrets by where they come from. */
  environment(component: 'api' | 'worker'): { settings: Record<string, string>; secrets: Json } {
    const settings: Record<string, string> = {};
    const secrets: Json = {};
    for (const { name, value, valueFrom } of this.pod(component).containers[0].env) {
      if (valueFrom) secrets[name] = valueFrom.secretKeyRef;
      else settings[name] = value;
    }
    return { settings, secrets };
  }
}

const fileOf = (set: string): string => join(VALUES, `${set}.yaml`);

function start(program: string, parameters: string[], input = ''): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(program, parameters, { stdio: 'pipe' });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}
