import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { MasterKey } from '../core/crypto/index.js';

const PURPOSE = 'file-links';
const LIFETIME_SECONDS = 3600;

/** Links that open one file for an hour: `<expiry in Unix seconds>.<HMAC over id and expiry>`. Nothing is stored. */
@Injectable()
export class FileLinksService {
  constructor(
    private readonly masterKey: MasterKey,
    private readonly settings: Settings,
  ) {}

  get isEnabled(): boolean {
    return this.settings.fileLinks;
  }

  readonly to = (fileId: string): string | null => {
    if (!this.isEnabled) return null;
    const expiry = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
    const token = `${expiry}.${this.masterKey.sign(PURPOSE, `${fileId}.${expiry}`)}`;
    return `${this.settings.baseUrl}/v1/files/${fileId}/download?token=${token}`;
  };

  opens(fileId: string, token: string): boolean {
    const [, expiry, signature] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
    if (expiry === undefined || signature === undefined) return false;
    return (
      this.masterKey.verify(PURPOSE, `${fileId}.${expiry}`, signature) && Number(expiry) > Date.now() / 1000
    );
  }
}
