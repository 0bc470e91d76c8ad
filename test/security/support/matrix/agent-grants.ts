import { APP_SCOPES } from '../../../../src/core/access/scopes.js';
import { connect } from '../../../support/oauth.js';

/** Lets an app act for a person, by the flow that every app goes through. Gives its access token. */
export async function connectApp(grant: {
  person: { cookie: string };
  workspace: string;
  without?: string;
  environment?: string;
}): Promise<string> {
  const { access_token: token } = await connect(grant.person, {
    workspace: grant.workspace,
    scopes: APP_SCOPES.filter((scope) => scope !== grant.without),
    environment: grant.environment ?? null,
  });
  return token;
}
