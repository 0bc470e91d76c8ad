import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { changeProfile } from '../settings/profiles.js';
import { credentialVariable } from '../settings/settings.js';
import { say } from '../terminal/say.js';

export default async function use({ args, options, settings, gatehouse }: Context): Promise<void> {
  const workspace = args[0] ?? options.workspace;
  const { env: environment } = options;
  if (workspace === undefined && environment === undefined) {
    throw new WrongUse('Which one?', 'Run: gatehouse use WORKSPACE [--env ENVIRONMENT]');
  }
  const { profileName, profile } = await settings();
  if (!profile) throw new WrongUse(`There is no profile to change: ${credentialVariable()} is set.`);
  const client = (await gatehouse()).with({ environment: undefined });
  if (workspace !== undefined) {
    const slugs = (await client.user.me()).workspaces.map(({ slug }) => slug);
    if (!slugs.includes(workspace)) {
      throw new CommandFailure(
        `This sign-in cannot act in the workspace ${workspace}, but in: ${slugs.join(', ')}.`,
        `Sign in for it: gatehouse login --workspace ${workspace}`,
        EXIT.notAllowed,
      );
    }
  }
  const here = workspace === undefined ? client : client.with({ workspace });
  if (environment !== undefined) await here.environments.get(environment);
  const changed = await changeProfile(profileName, (before) =>
    before === null
      ? null
      : {
          ...before,
          workspace: workspace ?? before.workspace,
          // Environments are a workspace's own.
          environment: environment ?? (workspace === undefined ? before.environment : null),
        },
  );
  say(`Now in ${changed?.workspace}, ${changed?.environment ?? 'its default environment'}.`);
}
