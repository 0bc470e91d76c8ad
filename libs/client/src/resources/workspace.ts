import {
  cliCommandsList,
  scriptTemplatesList,
  settingsPagesList,
  signInSettingsRead,
  workspacesDelete,
  workspacesGet,
  workspacesUpdate,
} from '../generated/sdk.gen.js';
import type {
  CliCommand,
  ScriptTemplate,
  SettingsPage,
  SignInSettings,
  Workspace,
  WorkspacePatch,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** The workspace that is acted in. */
export class CurrentWorkspace {
  constructor(private readonly calls: Calls) {}

  get(options?: CallOptions): Promise<Workspace> {
    return this.calls.send(workspacesGet<true>, {}, options);
  }

  update(patch: WorkspacePatch, options?: CallOptions): Promise<Workspace> {
    return this.calls.send(workspacesUpdate<true>, { body: patch }, options);
  }

  /** The commands that extensions add to the command line. */
  async cliCommands(options?: CallOptions): Promise<CliCommand[]> {
    return (await this.calls.send(cliCommandsList<true>, {}, options)).items;
  }

  /** The templates of scripts that extensions add to those of the console. */
  async scriptTemplates(options?: CallOptions): Promise<ScriptTemplate[]> {
    return (await this.calls.send(scriptTemplatesList<true>, {}, options)).items;
  }

  /** The pages that extensions add to the settings of the console, of those that the caller may use. */
  async settingsPages(options?: CallOptions): Promise<SettingsPage[]> {
    return (await this.calls.send(settingsPagesList<true>, {}, options)).items;
  }

  /** What it asks of people's sign-ins. Owners change it in the app. */
  signInSettings(options?: CallOptions): Promise<SignInSettings> {
    return this.calls.send(signInSettingsRead<true>, {}, options);
  }

  /** With everything in it, for good. */
  delete(options?: CallOptions): Promise<void> {
    return this.calls.do(workspacesDelete<true>, {}, options);
  }
}
