import swc from 'unplugin-swc';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

import { canRenderCharts } from './test/chart/support/programs.js';
import { canRunContainers } from './test/container/support/programs.js';
import { LongOnesFirst } from './test/support/long-ones-first.js';

// esbuild drops the decorator metadata that Nest's injection and TypeORM's columns need; SWC keeps it.
const transform = swc.vite({
  module: { type: 'nodenext' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
});

// Packages of this project as they are written, not as they were built last. Others as Node loads them: what they keep
// for bundlers under `module` it cannot load.
const conditions = defaultServerConditions.filter((condition) => condition !== 'module');
const ssr = { resolve: { conditions: ['@gatehouse/source', ...conditions] } };

/** The built program as Node loads it: an extension's test and the service that it starts share one copy. */
const server = { deps: { external: [/\/dist\/(src|libs)\//] } };

// CI's machine may be busy with other things. There, and only there, a test that fails is tried once more and named at the
// end; at home it is red, and somebody looks why.
const retry = process.env['CI'] ? 1 : 0;

/** `npm run test:full`, or somebody who names files. */
const everything = process.env['GATEHOUSE_TEST_EVERYTHING'] === '1';
/** What needs a browser or another runtime, installs packages, or waits for real leases to run out. */
const LEFT_OUT = [
  ...['test/browser/**', 'test/client/browser*', 'test/client/deno*', 'test/client/package*'],
  ...['test/faults/**', 'test/conformance/**', 'test/e2e/gate-packages*', 'test/e2e/how-to*'],
];

/** The image, and the first of the attacks on a service that runs in it. Building it takes minutes. */
const container = {
  test: {
    name: 'container',
    include: ['test/container/**/*.container.ts'],
    environment: 'node',
    globalSetup: 'test/container/support/global-setup.ts',
    retry,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // After the second project: an image that is being built is no neighbour for tests that measure time.
    sequence: { groupOrder: 2 },
  },
};

/** What Helm makes of the chart, and whether Kubernetes would take it. */
const chart = {
  test: {
    name: 'chart',
    include: ['test/chart/**/*.chart.ts'],
    environment: 'node',
    testTimeout: 30_000,
    maxWorkers: 2,
  },
};

export default defineConfig({
  plugins: [transform],
  ssr,
  test: {
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.spec.ts', 'libs/**/*.spec.ts'],
          environment: 'node',
          retry,
          // Some start real processes, on a machine that may be busy with other tests.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers: 2,
          // They are pure or clean up after themselves: loading every module anew for each file would take longer than they do.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.{e2e,security,walk,faults,conformance}.ts'],
          exclude: everything ? [] : LEFT_OUT,
          environment: 'node',
          globalSetup: 'test/support/global-setup.ts',
          server,
          retry,
          testTimeout: 30_000,
          hookTimeout: 90_000,
          // One more than there are processors: much of this is waiting for time-outs.
          maxWorkers: 3,
          // After the first project: the services of this one are busy enough for two processors.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'examples',
          include: ['examples/**/*.spec.ts'],
          environment: 'node',
          server,
          retry,
          testTimeout: 30_000,
          hookTimeout: 90_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      ...(everything && canRenderCharts() ? [chart] : []),
      ...(everything && canRunContainers() ? [container] : []),
    ],
  },
});
