import { scriptSettingsChange, scriptSettingsRead } from '../generated/sdk.gen.js';
import type { ScriptSettings as Settings, ScriptSettingsPatch } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** What holds for all scripts of the workspace. */
export class ScriptSettings {
  constructor(private readonly calls: Calls) {}

  get(options?: CallOptions): Promise<Settings> {
    return this.calls.send(scriptSettingsRead<true>, {}, options);
  }

  update(patch: ScriptSettingsPatch, options?: CallOptions): Promise<Settings> {
    return this.calls.send(scriptSettingsChange<true>, { body: patch }, options);
  }
}
