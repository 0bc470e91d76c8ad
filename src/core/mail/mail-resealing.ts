import type { MasterKey } from '../crypto/index.js';
import { type MasterKeyUse, SealedByMasterKey } from '../keys/index.js';
import { MailsRepository, type SealedMail } from './mails.repository.js';
import { MAIL_PURPOSE } from './sealed-mail.js';

/** Seals mail that waits to be sent with the next master key. */
@SealedByMasterKey()
export class MailResealing implements MasterKeyUse {
  constructor(private readonly mails: MailsRepository) {}

  async reseal(present: MasterKey, next: MasterKey): Promise<void> {
    const waiting = await this.mails.lockAll();
    await this.mails.replace(waiting.flatMap((mail) => resealed(mail, present, next)));
  }
}

/** A mail that the present key does not open is left: the next key has sealed it already, or it will be given up. */
function resealed({ id, message }: SealedMail, present: MasterKey, next: MasterKey): SealedMail[] {
  try {
    const plain = present.decrypt(MAIL_PURPOSE, message, id);
    return [{ id, message: next.encrypt(MAIL_PURPOSE, plain, id) }];
  } catch {
    return [];
  }
}
