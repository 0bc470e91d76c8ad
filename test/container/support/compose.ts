import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { parse } from 'yaml';

/** What the tests use of a service. */
export interface Service {
  image: string;
  environment: Record<string, string | number>;
  stop_grace_period: string;
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  [other: string]: unknown;
}

export const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<'api' | 'worker' | 'postgres' | 'valkey' | 's3', Service>;
  volumes: Record<string, unknown>;
};

/** How compose.yaml confines a service, as options of `docker run`: what is tried here is what is deployed. */
export function confinement(service: Service = compose.services.worker): string[] {
  return [
    ...(service.read_only ? ['--read-only'] : []),
    ...service.tmpfs.map((place) => `--tmpfs=${place}`),
    ...service.cap_drop.map((name) => `--cap-drop=${name}`),
    ...service.security_opt.map((option) => `--security-opt=${withFile(option)}`),
  ];
}

export function graceSeconds({ stop_grace_period: period }: Service = compose.services.worker): number {
  return Number(/^(\d+)s$/.exec(period)![1]);
}

/** Compose reads the profile from where compose.yaml lies, `docker run` from where it is called. */
function withFile(option: string): string {
  const [name, path] = option.split('=') as [string, string?];
  return name === 'seccomp' ? `seccomp=${resolve(path!)}` : option;
}
