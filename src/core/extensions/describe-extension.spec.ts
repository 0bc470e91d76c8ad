import { Module, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { describe, expect, it } from 'vitest';

import { Extension, type ExtensionOptions } from './extension.decorator.js';
import { extensionsOf } from './load-extensions.js';

const loaded = (...modules: Type[]) => extensionsOf(modules);

function extension(options: ExtensionOptions, module: Type = class Acme {}): Type {
  Module({ providers: [] })(module);
  Extension(options)(module);
  return module;
}

describe('an extension', () => {
  it('has the name, version and scopes that it says', async () => {
    class Acme {
      static version = '1.0.0-rc.1';
    }
    const [acme] = await loaded(extension({ name: 'acme-one', scopes: ['acme_one', 'acme_one.more'] }, Acme));
    expect(acme).toMatchObject({ name: 'acme-one', version: '1.0.0-rc.1', reference: 'Acme' });
    expect(acme!.scopes).toEqual(['acme_one', 'acme_one.more']);
  });

  it('is called after its class where it says nothing', async () => {
    @Module({ imports: [] })
    class DeployActionModule {}
    expect(await loaded(DeployActionModule)).toMatchObject([{ name: 'deploy-action', version: null }]);
  });

  it('owns the modules that it imports, dynamic ones and circles included', async () => {
    @Module({ providers: [] })
    class Inner {}
    @Module({ imports: [{ module: Inner, imports: [] }] })
    class Outer {}
    Reflect.defineMetadata('imports', [{ forwardRef: () => Outer }], Inner);
    const [outer] = await loaded(Outer);
    expect([...outer!.modules]).toEqual([Outer, Inner]);
  });

  class Numbered {
    static version = 2;
  }
  class Guarding {}
  class Configuring {
    configure(): void {}
  }
  @Module({ imports: [Configuring] })
  class Importing {}

  it.each<[string, Type, RegExp]>([
    ['a name that is none', extension({ name: 'Acme 2' }), /it is called "Acme 2"\. A name has/],
    ['a version that is none', extension({}, Numbered), /its static `version`/],
    ['scopes of others', extension({ name: 'acme', scopes: ['runs'] }), /"runs" has to be "acme"/],
    ['scopes that only begin alike', extension({ name: 'run', scopes: ['runs'] }), /"runs" has to be "run"/],
    ['a migration that is none', extension({ migrations: [Date as never] }), /no class with `up`/],
    ['no module', class Nothing {}, /Nothing is not marked with @Module/],
    ['middleware', extension({}, Configuring), /Configuring configures middleware, which comes before/],
    ['middleware further down', Importing, /Configuring configures middleware, which comes before/],
  ])('cannot have %s', async (_, module, words) => {
    await expect(loaded(module)).rejects.toThrow(words);
  });

  it('cannot guard every route', async () => {
    Module({ providers: [{ provide: APP_GUARD, useValue: {} }] })(Guarding);
    await expect(loaded(Guarding)).rejects.toThrow(
      'Guarding provides APP_GUARD, which would stand in the way',
    );
  });

  it('cannot have the name of another', async () => {
    const two = [extension({ name: 'acme' }, class One {}), extension({ name: 'acme' }, class Two {})];
    await expect(loaded(...two)).rejects.toThrow(
      'The extension Two cannot be used: it is called "acme", as One is.',
    );
  });
});
