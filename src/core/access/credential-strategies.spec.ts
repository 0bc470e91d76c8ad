import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';

import { CredentialStrategies } from './credential-strategies.js';
import { type CredentialStrategy, RecognisesCredentials } from './credential-strategy.js';

function strategyNamed(name: string) {
  @RecognisesCredentials()
  class Strategy implements CredentialStrategy {
    readonly name = name;
    readonly kind = 'session';
    hashIn = () => null;
    select = () => 'SELECT 1';
  }
  return Strategy;
}

async function strategiesOf(...names: string[]): Promise<CredentialStrategies> {
  const providers = [CredentialStrategies, ...names.map(strategyNamed)];
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
  await module.init();
  return module.get(CredentialStrategies);
}

it('finds the strategies of all modules by their decorator', async () => {
  const strategies = await strategiesOf('session', 'single_sign_on');
  expect(strategies.all().map(({ name }) => name)).toEqual(['session', 'single_sign_on']);
});

it.each([
  ['a name that is taken', ['session', 'session'], /Two strategies/],
  ['a name that would change a statement', ["a' OR true --"], /is no name/],
])('stops the start for %s', async (_, names, message) => {
  await expect(strategiesOf(...names)).rejects.toThrow(message);
});
