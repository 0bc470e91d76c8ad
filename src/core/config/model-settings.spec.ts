import { expect, it } from 'vitest';

import { Settings } from './settings.js';

it.each([
  [
    {},
    {
      provider: 'openai',
      url: null,
      key: null,
      model: null,
      silenceSeconds: 60,
      answerSeconds: 300,
      price: null,
    },
  ],
  [
    { GATEHOUSE_MODEL_PROVIDER: 'anthropic', GATEHOUSE_MODEL_KEY: 'sk-ant-1', GATEHOUSE_MODEL: 'm-1' },
    {
      provider: 'anthropic',
      url: 'https://api.anthropic.com/v1',
      key: 'sk-ant-1',
      model: 'm-1',
      silenceSeconds: 60,
      answerSeconds: 300,
      price: null,
    },
  ],
  [
    { GATEHOUSE_MODEL_URL: 'http://models.internal:8000/v1/' },
    {
      provider: 'openai',
      url: 'http://models.internal:8000/v1',
      key: null,
      model: null,
      silenceSeconds: 60,
      answerSeconds: 300,
      price: null,
    },
  ],
  [
    { GATEHOUSE_MODEL_URL: 'http://m/v1', GATEHOUSE_MODEL_PRICE: '3/15.5 USD' },
    {
      provider: 'openai',
      url: 'http://m/v1',
      key: null,
      model: null,
      silenceSeconds: 60,
      answerSeconds: 300,
      price: { input: 3, output: 15.5, currency: 'USD' },
    },
  ],
])('knows where the models of agents are: %o', (environment, models) => {
  expect(new Settings(environment).models).toEqual(models);
});
