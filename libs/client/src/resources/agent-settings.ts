import { agentSettingsChange, agentSettingsGet, agentSettingsUsage } from '../generated/sdk.gen.js';
import type { AgentSettings as Settings, AgentSettingsPatch, AgentUsage } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** What holds for all agents of the workspace. */
export class AgentSettings {
  constructor(private readonly calls: Calls) {}

  get(options?: CallOptions): Promise<Settings> {
    return this.calls.send(agentSettingsGet<true>, {}, options);
  }

  update(patch: AgentSettingsPatch, options?: CallOptions): Promise<Settings> {
    return this.calls.send(agentSettingsChange<true>, { body: patch }, options);
  }

  /** What the caller has used by agents, today and this month, and how much of it they may. */
  usage(options?: CallOptions): Promise<AgentUsage> {
    return this.calls.send(agentSettingsUsage<true>, {}, options);
  }
}
