export type { AlertedEvent, AlertNotice, AlertOptions } from './alert-notice.js';
export { inlineText } from './inline-text.js';
export { NOTICE_ATTEMPTS, secondsUntilRetry } from './notice-retries.js';
export {
  type ApprovalNotice,
  NotificationChannel,
  type NotificationChannelProvider,
  type NotifiedPerson,
  type NotifiedRequest,
} from './notification-channel.js';
export { NotificationChannels } from './notification-channels.js';
export { NotificationsModule } from './notifications.module.js';
