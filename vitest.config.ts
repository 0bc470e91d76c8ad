import { existsSync } from 'node:fs';

import { playwright } from '@vitest/browser-playwright';
import swc from 'unplugin-swc';
import { defaultServerConditions } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';

import { leftOutOfNpmTest } from './libs/bootstrap/tests/selection.mjs';
import { BROWSER, BROWSER_ARGUMENTS } from './test/support/chromium.mjs';
import { canRenderCharts } from './test/chart/support/programs.js';
import { canRunContainers } from './test/container/support/programs.js';
import { LongestFirst } from './test/support/longest-first.js';

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

/** A service may take two minutes to start on a busy machine, in a hook or in a test. */
const PATIENCE_MS = 150_000;
/** What is waited for comes in its time on a busy machine, too. Where how soon is the point, the test says so. */
const expect = { poll: { timeout: 60_000 } };

/** Twice the processors of a small machine: half of a test over HTTP is waiting. */
const maxWorkers = 4;

/** `npm run test:full`, or somebody who names files. */
const everything = process.env['GATEHOUSE_TEST_EVERYTHING'] === '1';
/** Files that this run leaves out. */
const exclude = [
  ...(everything ? [] : leftOutOfNpmTest()),
  ...(process.env['GATEHOUSE_TEST_EXCEPT'] ?? '').split(',').filter(Boolean),
];

/** The image, and the first of the attacks on a service that runs in it. Building it takes minutes. */
const container = {
  test: {
    name: 'container',
    include: ['test/container/**/*.container.ts'],
    environment: 'node',
    globalSetup: 'test/container/support/global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect,
    maxWorkers: 2,
    // After the others: an image that is being built is no neighbour for tests that measure time.
    sequence: { groupOrder: 1 },
  },
};

/** What Helm makes of the chart, and whether Kubernetes would take it. */
const chart = {
  test: {
    name: 'chart',
    include: ['test/chart/**/*.chart.ts'],
    environment: 'node',
    testTimeout: 30_000,
    expect,
    maxWorkers,
  },
};

/** Parts of the console by themselves, in a real browser: they measure themselves, keep drafts and check in threads. */
const components = {
  extends: './libs/console/vite.config.ts',
  root: './libs/console',
  // What was bundled for other files last time lacks what these import, and to find that later would load the page anew.
  optimizeDeps: { force: true },
  test: {
    name: 'components',
    include: ['src/**/*.component.tsx'],
    testTimeout: PATIENCE_MS,
    expect,
    browser: {
      enabled: true,
      headless: true,
      viewport: { width: 1280, height: 800 },
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { executablePath: BROWSER, args: BROWSER_ARGUMENTS },
        contextOptions: { locale: 'en-US' },
      }),
      instances: [{ browser: 'chromium' as const }],
    },
  },
};

export default defineConfig({
  plugins: [transform],
  ssr,
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: 'slow',
        description: 'Starts a process for each question, fills the machine, or waits for real time.',
      },
    ],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.spec.ts', 'libs/**/*.spec.ts'],
          exclude: [...configDefaults.exclude, ...exclude],
          environment: 'node',
          setupFiles: 'test/support/english-reader.ts',
          // Some start real processes, on a machine that may be busy with other tests.
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect,
          maxWorkers,
          // They are pure or clean up after themselves: loading every module anew for each file would take longer than they do.
          isolate: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.{e2e,security,walk,faults,conformance}.ts'],
          exclude,
          environment: 'node',
          globalSetup: 'test/support/global-setup.ts',
          server,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect,
          maxWorkers,
          // What they share is a service and a database. They leave nothing in the modules that they load.
          isolate: false,
        },
      },
      {
        test: {
          name: 'examples',
          include: ['examples/**/*.spec.ts'],
          exclude: [...configDefaults.exclude, ...exclude],
          environment: 'node',
          server,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect,
          maxWorkers,
        },
      },
      ...(everything && existsSync(BROWSER) ? [components] : []),
      ...(everything && canRenderCharts() ? [chart] : []),
      ...(everything && canRunContainers() ? [container] : []),
    ],
  },
});
