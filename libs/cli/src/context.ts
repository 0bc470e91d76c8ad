import type { Gatehouse } from '@gatehouse/client';

import type { JsonOptions } from './output/fields.js';
import { type GlobalOptions, type Settings, settingsOf } from './settings/settings.js';

/** What a command is carried out with. */
export interface Context<Options extends object = object> {
  args: string[];
  options: Options & GlobalOptions & JsonOptions;
  /** Where it acts, and as whom. @throws CommandFailure where nobody is signed in */
  settings(): Promise<Settings>;
  gatehouse(): Promise<Gatehouse>;
}

/** A command. What it gives is the exit code; nothing means that all went well. */
export type Run<Options extends object = object> = (context: Context<Options>) => Promise<number | void>;

export function contextOf<Options extends object>(args: string[], options: Options): Context<Options> {
  let settings: Promise<Settings> | undefined;
  const ask = (): Promise<Settings> => (settings ??= settingsOf(options));
  return {
    args,
    options,
    settings: ask,
    async gatehouse() {
      const [{ Gatehouse }, { currentToken }, json, found] = await Promise.all([
        import('@gatehouse/client'),
        import('./account/current-token.js'),
        import('./output/json.js'),
        ask(),
      ]);
      return new Gatehouse({
        baseUrl: found.url,
        token: currentToken(found),
        json: { parse: json.parseJson, stringify: json.stringifyJson },
        ...(found.workspace !== null && { workspace: found.workspace }),
        ...(found.environment !== null && { environment: found.environment }),
      });
    },
  };
}
