import type { Context } from '../context.js';
import { printOne } from '../output/print.js';
import { credentialVariable } from '../settings/settings.js';

export default async function whoami({ options, settings, gatehouse }: Context): Promise<void> {
  const [{ url, workspace, environment, givenToken, profile, profileName }, client] = await Promise.all([
    settings(),
    gatehouse(),
  ]);
  const isKey = (givenToken ?? (profile?.token.kind === 'given' ? profile.token.value : '')).startsWith(
    'svc_sk_',
  );
  const person = isKey ? null : await client.user.me();
  const place = await client.workspace.get();
  const who = {
    url,
    person: person && { id: person.id, name: person.name, email: person.email },
    role: person?.workspaces.find(({ slug }) => slug === workspace)?.role ?? null,
    workspace: { id: place.id, name: place.name, slug: workspace },
    environment,
    profile: givenToken === null ? profileName : null,
  };
  await printOne(who, options, [
    ['Service', () => url],
    ['Person', () => (person ? `${person.name} <${person.email}>` : 'none: an API key')],
    ['Workspace', () => (workspace === null ? place.name : `${place.name} (${workspace})`)],
    ['Role', ({ role }) => role],
    ['Environment', () => environment ?? 'the default one'],
    ['Profile', ({ profile: name }) => name ?? `none: ${credentialVariable()} is set`],
  ]);
}
