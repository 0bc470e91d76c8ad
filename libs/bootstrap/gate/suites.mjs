/** What only some tests need, by their paths: packages of Debian, or a command, and about how long that takes. */
const NEEDS = [
  {
    of: /^test\/(browser\/|client\/browser)|\.component\.tsx$/,
    apt: ['chromium', 'fonts-dejavu-core'],
    seconds: 40,
  },
  { of: /^test\/container\//, apt: ['docker.io', 'debootstrap'], seconds: 240 },
  { of: /^test\/chart\//, command: ['bash', '.ci/chart-tools'], seconds: 180 },
  {
    of: /^test\/(faults\/events|e2e\/(several-processes|refused-starts|doctor))/,
    apt: ['redis-server'],
    seconds: 5,
  },
  { of: /^test\/e2e\/gate-clients/, apt: ['curl', 'wget'], seconds: 5 },
  { of: /^test\/e2e\/monitoring/, apt: ['prometheus'], seconds: 10 },
  { of: /^test\/client\/python/, apt: ['python3-venv'], seconds: 5 },
];

/** Tests that `npm test` leaves out, by the paths of what they are about. Where time is short, the first are run. */
const SUITES = [
  {
    of: /^libs\/sandbox\/|^src\/runs\/execution\//,
    tests: [
      'libs/sandbox/**',
      'test/security/{kernel,network,space,processes,read-only,ordinary-user,memory}.security.ts',
      'test/security/{templates,missing-sandbox,hostile-scripts,shared-folders}.security.ts',
      'test/e2e/kept-processes*',
    ],
  },
  {
    of: /^libs\/egress\//,
    tests: ['libs/egress/**', 'test/security/{gate-*,plain-secrets*}', 'test/e2e/gate-*'],
  },
  {
    of: /^examples\/|^libs\/(extension|testing)\/|^src\/(extension|approvals|core\/extensions|secret-stores)\//,
    tests: ['examples/**'],
  },
  { of: /^src\/core\/storage\//, tests: ['src/core/storage/**', 'examples/webdav-files/**'] },
  {
    of: /^libs\/archive\/|^src\/(scripts|builds)\//,
    tests: ['libs/archive/**', 'test/security/{archives,build-trees}*'],
  },
  { of: /^src\/migrations\/|\.entity\.ts$/, tests: ['test/upgrades/**'] },
  {
    of: /^src\/(runs|core\/(queue|work))\//,
    tests: [
      'test/faults/{leases,turns,queues,workers}*',
      'test/security/{starvation,chains,multiplied-limits}*',
      'test/e2e/{causes,whole-log}*',
      'test/security/{whole-log,errors}*',
    ],
  },
  {
    of: /^src\/(auth|sign-in|oauth)\//,
    tests: [
      'test/e2e/{scim,account-sessions,second-factors,password-reset,oauth-registration}*',
      'test/security/{scim,company-sign-in,providers-of-settings,registration,unproven-addresses,grants}*',
    ],
  },
  { of: /^src\/(workspaces|scripts|automations)\//, tests: ['test/e2e/lost-access*'] },
  { of: /^src\/(agents|tools)\//, tests: ['test/e2e/agent-*', 'test/security/agent-*'] },
  {
    of: /^src\/core\/(http|access|outbox|telemetry)\//,
    tests: ['test/e2e/rate-limit*', 'test/security/{floods,long-answers,event-stream,metrics,grants}*'],
  },
  { of: /^src\/core\/database\//, tests: ['test/faults/{database,postgres-kills}*'] },
  { of: /^src\/(admin|core\/copies)\//, tests: ['test/e2e/{backup,embedded-copies,operators,prove}*'] },
  { of: /^src\/(mcp|oauth)\//, tests: ['test/conformance/**', 'test/e2e/mcp-{listen,pages,clients}*'] },
  { of: /^libs\/testing\//, tests: ['test/e2e/testing*'] },
  { of: /^libs\/cli\//, tests: ['test/e2e/cli/**'] },
  { of: /^libs\/(client|python)\//, tests: ['test/client/**'] },
  { of: /^libs\/(cli|client|extension|testing)\/package\.json$/, tests: ['test/e2e/packages.e2e.ts'] },
  { of: /^libs\/console\//, tests: ['libs/console/**', 'test/browser/**'] },
  { of: /^(Dockerfile|compose\.yaml|deploy\/)/, tests: ['test/chart/**', 'test/container/**'] },
];

/** Measures the memory of the whole machine, which other tests take as well: only `test:full` runs it. */
const OF_THE_WHOLE_MACHINE = /^libs\/sandbox\/kernel-memory\.spec\.ts$/;
/** Where a domain's own tests lie. Their names begin with its name, in the singular. */
const BY_NAME = ['e2e', 'security', 'faults', 'browser'];

/**
 * Chooses tests of `npm test` that show a fault of this change soonest: those that it touches, and those of the folders that it
 * touches.
 * @param {string[]} changed
 * @param {import('./test-files.mjs').TestFiles} files
 * @param {number} budget in recorded seconds
 */
export function ownTests(changed, files, budget) {
  const candidates = [changed, globsByName(changed)].flatMap((globs) => files.inNpmTest(globs));
  let left = budget;
  return [...new Set(candidates)].filter((path) => {
    const fits = files.secondsOf(path) <= left;
    if (fits) left -= files.secondsOf(path);
    return fits;
  });
}

/**
 * Chooses tests that `npm test` leaves out.
 * @param {string[]} changed
 * @param {import('./test-files.mjs').TestFiles} files
 * @param {number} budget in seconds
 * @returns {{ chosen: string[], cut: string[] }} cut: what the change concerns, and does not fit the budget
 */
export function suitesOf(changed, files, budget) {
  const ofFolders = SUITES.filter(({ of }) => changed.some((path) => of.test(path))).flatMap(
    ({ tests }) => tests,
  );
  const candidates = [changed, globsByName(changed), ofFolders].flatMap((globs) => files.onlyInFull(globs));
  let left = budget;
  const chosen = [];
  const cut = [];
  for (const path of new Set(candidates)) {
    const missing = needsOf([path]).filter((need) => !needsOf(chosen).includes(need));
    // Two processors run four files at once, each in twice the time that it takes alone or more.
    const seconds = files.secondsOf(path) / 2 + missing.reduce((sum, need) => sum + need.seconds, 0);
    const fits = seconds <= left && !OF_THE_WHOLE_MACHINE.test(path);
    (fits ? chosen : cut).push(path);
    if (fits) left -= seconds;
  }
  return { chosen, cut };
}

/** What these tests need besides what the program needs. */
export const needsOf = (paths) => NEEDS.filter(({ of }) => paths.some((path) => of.test(path)));

function globsByName(changed) {
  const folders = new Set(
    changed.map((path) => /^(?:src|libs)\/(?:core\/)?[^/]+(?=\/)/.exec(path)?.[0]).filter(Boolean),
  );
  return [...folders].flatMap((folder) => {
    const name = folder.split('/').at(-1).replace(/s$/, '');
    return [
      `${folder}/**`,
      ...BY_NAME.flatMap((kind) => [`test/${kind}/${name}*`, `test/${kind}/${name}*/**`]),
    ];
  });
}

/** Globs of the tests that a change of some path has the gate run: those of the table, and those that `folders` give their names. */
export const globsByPath = (folders) => [...SUITES.flatMap(({ tests }) => tests), ...globsByName(folders)];
