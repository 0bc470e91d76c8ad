import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { freePort } from '../../../libs/testing/index.js';
import { Credentials } from '../../../src/core/database/embedded/credentials.js';
import { urlOf } from '../../../src/core/database/embedded/server-settings.js';
import { importBaseImage } from './base-image.js';
import { Container } from './container.js';
import { delegateGroups } from './delegation.js';
import { Engine } from './engine.js';
import { registryOptions } from './machine-registries.js';

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine['place'];
    image: string;
  }
}

const IMAGE = 'gatehouse';

/** The user of the image. */
const USER = 1000;

/** An engine, the image, and a service in a container that takes the place of the one that tests attack otherwise. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-container-'));
  let engine: Engine | undefined;
  const close = async (): Promise<void> => {
    await engine?.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    engine = await Engine.start(join(directory, 'engine'));
    await build(engine, directory);
    project.provide('engine', engine.place);
    project.provide('image', IMAGE);
    await startAttacked(project, engine, join(directory, 'data'));
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(engine: Engine, directory: string): Promise<void> {
  const [base, registries] = await Promise.all([
    importBaseImage(engine, directory),
    registryOptions(directory),
  ]);
  await engine.docker([
    ...['build', '--network=host', `--build-arg=BASE=${base}`, ...registries, `--tag=${IMAGE}`, '.'],
  ]);
}

/** With its data directory at the same path here and there, and its database within the reach of root. */
async function startAttacked(project: TestProject, engine: Engine, dataDirectory: string): Promise<void> {
  await mkdir(dataDirectory, { mode: 0o700 });
  await chown(dataDirectory, USER, USER);
  const container = await Container.start(
    {
      image: IMAGE,
      options: [`--volume=${dataDirectory}:${dataDirectory}`, ...delegateGroups(engine.groups, USER)],
      env: {
        GATEHOUSE_DATA: dataDirectory,
        GATEHOUSE_SIGNUP: 'open',
        GATEHOUSE_RATE_LIMIT: 0,
        GATEHOUSE_TRUST_PROXY: '127.0.0.1',
      },
    },
    { docker: engine, port: await freePort() },
  );
  await container.ready();
  const { password } = (await Credentials.load(dataDirectory))!;
  project.provide('baseUrl', container.baseUrl);
  project.provide('dataDirectory', dataDirectory);
  const endpoint = { kind: 'socket', directory: join(dataDirectory, 'postgres') } as const;
  project.provide('databaseUrl', urlOf(endpoint, password));
}
