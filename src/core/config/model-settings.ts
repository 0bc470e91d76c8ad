import type { SettingsReader } from './settings-reader.js';

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';
const MODEL_PRICE = /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?) ([A-Z]{3})$/;

/** Where agents' language models are. An agent cannot answer while `url` or `model` is null. */
export interface ModelSettings {
  /** Whose protocol the endpoint speaks. */
  provider: 'openai' | 'anthropic';
  /** With `/v1`, without a trailing slash. */
  url: string | null;
  /** null: requests carry none. */
  key: string | null;
  /** The model of agents that name none. */
  model: string | null;
  /** After so long without a byte, the endpoint is given up. */
  silenceSeconds: number;
  /** An agent has so long for one message. */
  answerSeconds: number;
  /** Of a million tokens that are read and written. null: cost is not counted. */
  price: ModelPrice | null;
}

interface ModelPrice {
  input: number;
  output: number;
  /** A label such as `USD`. */
  currency: string;
}

export function readModels(read: SettingsReader): ModelSettings {
  const provider = read.oneOf('GATEHOUSE_MODEL_PROVIDER', ['openai', 'anthropic'], 'openai');
  const url = read.url('GATEHOUSE_MODEL_URL', ['http:', 'https:']);
  if (url !== null && /[?#]|\/\/[^/]*@/.test(url)) {
    read.refuse('GATEHOUSE_MODEL_URL', 'an address without a user, a password or a query');
  }
  return {
    provider,
    url: url ?? (provider === 'anthropic' ? ANTHROPIC_URL : null),
    key: read.matching('GATEHOUSE_MODEL_KEY', /^[\x21-\x7e]{1,1000}$/, 'printable characters without blanks'),
    model: read.text('GATEHOUSE_MODEL'),
    silenceSeconds: read.integer('GATEHOUSE_MODEL_SILENCE_SECONDS', 60, 1, 300),
    answerSeconds: read.integer('GATEHOUSE_MODEL_ANSWER_SECONDS', 300, 1, 3600),
    price: priceOf(read),
  };
}

function priceOf(read: SettingsReader): ModelPrice | null {
  const takes = 'what a million tokens cost that are read and written, such as `3/15 USD`';
  const value = read.matching('GATEHOUSE_MODEL_PRICE', MODEL_PRICE, takes);
  const [, input, output, currency] = MODEL_PRICE.exec(value ?? '') ?? [];
  return currency === undefined ? null : { input: Number(input), output: Number(output), currency };
}
