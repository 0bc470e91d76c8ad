import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { RememberedCredential, WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { hashToken, newId, randomText } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { InvalidRequest, QuotaExceeded } from '../core/errors/index.js';
import { baseName, charactersProblem, fileNameProblem } from './file-name.js';
import type { UploadAddressDto, UploadAddressInput } from './upload-address.dto.js';
import { UploadAddressesRepository } from './upload-addresses.repository.js';

const LIFETIME_SECONDS = 900;
/** 256 bits in base62. */
const TOKEN_LENGTH = 43;
const MOST_OPEN = 100;

/** Makes addresses to which somebody without a credential, such as an agent's shell, sends one file. */
@Injectable()
export class UploadAddressesService {
  constructor(
    private readonly addresses: UploadAddressesRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly settings: Settings,
  ) {}

  /**
   * @param credential of the caller, in whose name the file will be stored
   * @throws InvalidRequest at `name`; QuotaExceeded
   */
  create(
    caller: WorkspaceCaller,
    credential: RememberedCredential,
    { name: givenName, maxBytes }: UploadAddressInput,
  ): Promise<UploadAddressDto> {
    const name = baseName(givenName);
    const problem = fileNameProblem(name) ?? charactersProblem(givenName);
    if (problem) throw InvalidRequest.at('name', `the file's name ${problem}`);
    const { workspace, environment, credentialId } = caller;
    const id = newId('uploadAddress');
    const token = randomText(TOKEN_LENGTH);
    const address = {
      ...{ id, tokenHash: hashToken(token), credentialId, name, maxBytes },
      ...{ workspaceId: workspace.id, workspaceSlug: workspace.slug },
      ...{ environmentId: environment.id, environmentName: environment.name },
      ...{ credentialStrategy: credential.strategy, credentialHash: credential.hash },
    };
    return this.database.transaction(async () => {
      // Or many that ask at once would each find room.
      await this.database.lock(`upload addresses of ${credentialId}`);
      if ((await this.addresses.countOpen(credentialId)) >= MOST_OPEN) {
        throw new QuotaExceeded(
          `This credential has ${MOST_OPEN} upload addresses that are not used yet: use them, or wait until they expire.`,
        );
      }
      const expiresAt = await this.addresses.insert(address, LIFETIME_SECONDS);
      const target = { type: 'upload_address', id };
      await this.audit.record(workspace.id, caller, 'file.address_created', target, { name, maxBytes });
      const uploadUrl = `${this.settings.baseUrl}/v1/files/uploads/${id}?token=${token}`;
      return { id, uploadUrl, name, maxBytes, expiresAt: expiresAt.toISOString() };
    });
  }
}
