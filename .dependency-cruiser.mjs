/** Folders that are floors: the domains, and the rooms of core and of each domain. */
const FLOORS = '^src/[^/]+$|^src/[^/]+/[^/]+$';

/**
 * Which way imports may go. Type-only imports count as well: whoever reads a file has to understand what it names.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-circle-of-files',
      comment: 'Files that import each other are one thing in several files, or one of them does two things.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-folders',
      comment: 'Folders are floors: each imports only what lies below it.',
      severity: 'error',
      scope: 'folder',
      from: { path: FLOORS },
      to: { circular: true },
    },
    {
      name: 'a-run-goes-one-way',
      comment: 'A run is started, then carried out: what carries it out knows nothing of who started it.',
      severity: 'error',
      from: { path: '^src/runs/(execution|output)/' },
      to: { path: '^src/runs/(starting|automated)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(src|libs|test)/',
    exclude: '^libs/(console/dist|cli/dist|client/dist|client/src/generated)/',
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
};
