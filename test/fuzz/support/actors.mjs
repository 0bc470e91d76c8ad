import { Seed, createClient } from '../../../dist/libs/testing/index.js';
import { furnish } from './furnish.mjs';

/** They end what the rest of a pass needs: each is tried as a person of its own, in a workspace of its own. */
const FAREWELLS = ['workspaces.delete', 'user.revoke', 'auth.logout', 'auth.changePassword'];

/** Of Schemathesis: each bound of each field, both ways; data by chance; requests that go on with what others made. */
const SURVEY = ['examples', 'coverage'];
const CHANCE = ['fuzzing'];
const SEQUENCES = ['stateful'];

/**
 * Who sends requests, each in a furnished workspace of their own: `{name, about, share, phases, headers, known, only, without}`.
 * `share` is their part of the time, `known` the ids that there are by the names of path parameters.
 */
export async function actorsOf({ gatehouse: { baseUrl }, pool }) {
  const seed = new Seed(baseUrl, pool);
  const actor = async (name, share, headersOf, more = {}) => {
    const workspace = await seed.workspace();
    const api = createClient({ baseUrl, token: workspace.owner.token, workspace: workspace.slug });
    const person = createClient({ baseUrl, cookie: workspace.owner.cookie, workspace: workspace.slug });
    const known = await furnish(workspace, api, person);
    return {
      name,
      share,
      known,
      headers: await headersOf(workspace),
      phases: [...CHANCE, ...SEQUENCES],
      without: FAREWELLS,
      about: `without ${FAREWELLS.join(', ')}: a pass of their own tries those`,
      ...more,
    };
  };
  const byToken = async (workspace, person) => ({
    authorization: `Bearer ${(await person).token}`,
    'x-workspace': workspace.slug,
  });
  const asOwner = (workspace) => byToken(workspace, workspace.owner);
  const inApp = ({ owner, slug }) => ({ cookie: owner.cookie, 'x-workspace': slug });
  const last = { without: [], about: 'what ends a session, a token or a workspace, in one of its own' };
  return [
    await actor('owner', 8, asOwner, { phases: SURVEY }),
    await actor('owner', 5, asOwner, { phases: CHANCE }),
    await actor('owner', 5, asOwner, { phases: SEQUENCES }),
    await actor('owner in the app', 5, inApp, { phases: SURVEY }),
    await actor('owner in the app', 5, inApp, { phases: SEQUENCES }),
    await actor('member', 4, (workspace) => byToken(workspace, workspace.person('member'))),
    await actor('guest', 2, (workspace) => byToken(workspace, workspace.person('guest'))),
    await actor('API key', 4, async (workspace) => ({ authorization: `Bearer ${await workspace.apiKey()}` })),
    await actor('nobody', 2, () => ({}), { about: 'without a credential', without: [], phases: CHANCE }),
    await actor('leaver', 1, inApp, {
      ...last,
      only: ['auth.changePassword', 'auth.logout'],
    }),
    await actor('leaver by token', 1, (workspace) => byToken(workspace, workspace.owner), {
      ...last,
      only: ['workspaces.delete', 'user.revoke'],
    }),
  ];
}
