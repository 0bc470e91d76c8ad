import { readdirSync } from 'node:fs';

import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const NOT_DOMAINS = new Set(['core', 'migrations']);
const domains = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_DOMAINS.has(entry.name))
  .map((entry) => entry.name);
const rooms = readdirSync('src/core', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const forbid = (...patterns) => ({
  '@typescript-eslint/no-restricted-imports': [
    'error',
    { patterns: patterns.map(([regex, message]) => ({ regex, message })) },
  ],
});

/** The embedded server has a door of its own: it is started before the rest of its room is read. */
const DOOR = '(?:embedded/)?index\\.js$';
const NOT_BY_THE_DOOR_OF_CORE = [
  `^(?:\\.\\./)+core/[^/]+/(?!${DOOR})`,
  'A room of core is entered by its index.ts; everything else in its folder is private.',
];

/** More: the class does two things, or its parts are one object. */
const TOO_MANY_PARTS = {
  selector: 'MethodDefinition[kind="constructor"] > [params.length>8]',
  message: 'A constructor takes eight parameters at most.',
};

/** A busy machine is no fault of the program. */
const TIMES = '/^(?:elapsed|took|late|longest|slowest|duration|waited)(?:Ms|Seconds|Hold)?$/';
const ELAPSED_TIME = ['CallExpression[callee.property.name="now"]', `Identifier[name=${TIMES}]`].map(
  (time) => ({
    selector: `CallExpression[callee.property.name=/^toBeLess/] > MemberExpression > CallExpression[callee.name="expect"] ${time}`,
    message: 'No upper bound on elapsed time: expect an order, a count, or `processorTime` of libs/fuzz.',
  }),
);

export default tseslint.config(
  {
    ignores: ['**/dist/**', 'node_modules/**', 'libs/client/src/generated/**', '.data/**'],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { inheritedMethods: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-console': 'off',
      'no-restricted-syntax': ['error', TOO_MANY_PARTS, ...ELAPSED_TIME],
    },
  },
  ...domains.map((domain) => ({
    files: [`src/${domain}/**/*.ts`],
    // What runs in a thread reads only what it needs.
    ignores: ['**/*.thread.ts'],
    rules: forbid(
      [
        `^(?:\\.\\./)+(?!${domain}/)(?:${domains.join('|')})/(?!index\\.js$)`,
        'A domain is entered by its index.ts; everything else in its folder is private.',
      ],
      NOT_BY_THE_DOOR_OF_CORE,
    ),
  })),
  ...rooms.map((room) => ({
    files: [`src/core/${room}/**/*.ts`],
    ignores: ['**/*.thread.ts'],
    rules: forbid(
      [`^(?:\\.\\./)+(?:${domains.join('|')})/`, 'core knows no domain.'],
      [`^(?:\\.\\./)+(?!${room}/)(?:${rooms.join('|')})/(?!${DOOR})`, NOT_BY_THE_DOOR_OF_CORE[1]],
    ),
  })),
  {
    files: ['libs/**/*.ts', 'libs/**/*.mjs'],
    // What a test starts in its own process is Gatehouse.
    ignores: ['libs/testing/in-process/*.ts'],
    rules: forbid(['^(?:\\.\\./)+src/', 'A library knows nothing of Gatehouse.']),
  },
  prettier,
);
