import { Module } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { describe, expect, it } from 'vitest';

import { Extension } from './extension.decorator.js';
import { Extensions } from './extensions.js';
import { extensionsOf } from './load-extensions.js';
import { NamedProviders } from './named-providers.js';

@Extension({ name: 'two-words' })
@Module({ providers: [] })
class TwoWords {}

describe('providers that a decorator names', async () => {
  const extensions = new Extensions(await extensionsOf([TwoWords]));
  const decorator = DiscoveryService.createDecorator<string>();
  const sound = { notify: (): void => undefined };

  const find = (...given: [name: unknown, metatype: unknown, instance?: object][]) =>
    new NamedProviders(extensions, {
      getProviders: () =>
        given.map(([name, metatype, instance = sound]) => ({ instance, name, host: { metatype } })),
      getMetadataByDecorator: (_: unknown, { name }: { name: unknown }) => name,
    } as unknown as DiscoveryService).find<object>('notification channel', {
      decorator,
      methods: ['notify'],
    });

  it('are found by their names', () => {
    const other = { ...sound };
    const found = find(['mail', Object], ['two_words', TwoWords, other], ['two_words.more', TwoWords]);
    expect([...found]).toEqual([
      ['mail', sound],
      ['two_words', other],
      ['two_words.more', sound],
    ]);
  });

  it.each<[string, Parameters<typeof find>, RegExp]>([
    ['no name', [[undefined, TwoWords]], /The extension TwoWords .* "undefined" needs a name/],
    ['a name of other letters', [['two-words', TwoWords]], /"two-words" needs a name of lower-case words/],
    ["another's name", [['mail', TwoWords]], /"mail" has to be called "two_words", or .* "two_words\."/],
    ['a name that only begins alike', [['two_wordsmith', TwoWords]], /has to be called "two_words"/],
    ['no method', [['two_words', TwoWords, {}]], /"two_words" has no method notify\./],
    [
      'one name',
      [
        ['mail', Object],
        ['mail', Object, { ...sound }],
      ],
      /"mail" is there twice/,
    ],
  ])('cannot have %s', (_, given, words) => {
    expect(() => find(...given)).toThrow(words);
  });
});
