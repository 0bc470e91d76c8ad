export { checkMailServer } from './check-mail-server.js';
export type { MailMessage } from './mail-message.js';
export { Mail } from './mail.entity.js';
export { MailResealing } from './mail-resealing.js';
export { MailModule } from './mail.module.js';
export { MailService } from './mail.service.js';
export { MailsRepository } from './mails.repository.js';
