import { Injectable } from '@nestjs/common';

import { type AuditActor, SYSTEM } from '../audit/index.js';
import { PersonalTokensService, UsersService } from '../auth/index.js';
import { SCOPES } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { randomText } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { ApiKeysService, WorkspacesService } from '../workspaces/index.js';
import { type FirstRunCredentials, FirstRunFile } from './first-run-file.js';

const WORKSPACE = { slug: 'main', name: 'My workspace' };
const PASSWORD_LENGTH = 20;
const CREDENTIAL_NAME = 'first start';

/** Makes the first person and their workspace, with a token and a key. */
@Injectable()
export class FirstOwnerCreator {
  constructor(
    private readonly users: UsersService,
    private readonly workspaces: WorkspacesService,
    private readonly keys: ApiKeysService,
    private readonly tokens: PersonalTokensService,
    private readonly database: Database,
    private readonly file: FirstRunFile,
    private readonly settings: Settings,
  ) {}

  /**
   * All of it or nothing. The credentials are on disk before the commit makes them good: if this process dies in
   * between, there is a draft that opens nothing, but never an account that nobody can open.
   */
  create(): Promise<FirstRunCredentials> {
    const { ownerEmail, ownerPassword, baseUrl } = this.settings;
    const password = ownerPassword ?? randomText(PASSWORD_LENGTH);
    return this.database.transaction(async () => {
      const user = await this.users.create({ email: ownerEmail, name: 'Owner', password });
      const by: AuditActor = { ...SYSTEM, userId: user.id };
      const workspace = await this.workspaces.create({ ...WORKSPACE, owner: user.id }, by);
      const { key } = await this.keys.create(workspace.id, { name: CREDENTIAL_NAME }, by);
      const { token } = await this.tokens.create(user.id, { name: CREDENTIAL_NAME, scopes: [...SCOPES] }, by);
      const credentials = {
        baseUrl,
        email: user.email,
        password,
        workspace: WORKSPACE.slug,
        personalAccessToken: token,
        apiKey: key,
      };
      await this.file.writeDraft(credentials);
      return credentials;
    });
  }
}
