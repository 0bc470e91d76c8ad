import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { LanguageModel } from 'ai';

import { createSafeFetch, type SafeFetch } from '../../../libs/egress/index.js';
import { type ModelSettings, Settings } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import { untilItHasTime } from './until-it-has-time.js';
import { untilSilent } from './until-silent.js';

/** Longer than any turn of the allowed length. */
const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;

/** The language models behind the operator's endpoint, which is dialled by the safe dialer. */
@Injectable()
export class LanguageModels implements OnApplicationShutdown {
  private readonly settings: ModelSettings;
  private readonly outside: SafeFetch;
  private readonly silenceMs: number;

  constructor(settings: Settings) {
    this.settings = settings.models;
    this.silenceMs = settings.models.silenceSeconds * 1000;
    this.outside = createSafeFetch({
      allow: settings.outboundAllow,
      maxResponseBytes: MOST_RESPONSE_BYTES,
      headersTimeoutMs: this.silenceMs,
    });
  }

  onApplicationShutdown(): void {
    this.outside.close();
  }

  /**
   * Of that name, or the operator's where an agent names none.
   *
   * @throws Unavailable naming the setting that is missing
   */
  assertSet(name: string | null): void {
    const { url, model } = this.settings;
    if (url === null) throw missing('GATEHOUSE_MODEL_URL', "the address of the models' endpoint");
    if (name === null && model === null) throw missing('GATEHOUSE_MODEL', 'the name of a model');
  }

  /**
   * The libraries are loaded at the first message: they take a while.
   *
   * @param until by `performance.now()`: an endpoint that has too much to do is not waited for beyond it
   */
  async model(name: string | null, until: number): Promise<LanguageModel> {
    this.assertSet(name);
    const { provider, url, key, model } = this.settings;
    const id = name ?? model!;
    const fetch: typeof globalThis.fetch = async (resource, init) =>
      untilSilent(
        await untilItHasTime(() => this.outside.fetch(resource, init), until, init?.signal ?? null),
        this.silenceMs,
      );
    // Both given always: without them, the libraries look into variables of their own.
    const given = { baseURL: url!, apiKey: key ?? '', fetch };
    if (provider === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic(given)(id);
    }
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'models',
      baseURL: url!,
      ...(key !== null && { apiKey: key }),
      includeUsage: true,
      fetch,
    }).chatModel(id);
  }
}

function missing(setting: string, what: string): Unavailable {
  return new Unavailable(`Agents cannot answer here. Set ${setting}: ${what}.`, 3600);
}
