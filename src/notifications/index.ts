export type { AlertedEvent, AlertNotice, AlertOptions } from './alert-notice.js';
export { inlineText, nameText } from './inline-text.js';
export {
  type ApprovalNotice,
  NotificationChannel,
  type NotificationChannelProvider,
  type NotifiedPerson,
  type NotifiedRequest,
} from './notification-channel.js';
export { NotificationChannels } from './notification-channels.js';
export { NotificationsModule } from './notifications.module.js';
