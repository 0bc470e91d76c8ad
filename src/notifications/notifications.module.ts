import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ChannelOutbound } from './channel-outbound.js';
import { MailChannel } from './channels/mail.channel.js';
import { MattermostChannel } from './channels/mattermost.channel.js';
import { NtfyChannel } from './channels/ntfy.channel.js';
import { PagerDutyChannel } from './channels/pagerduty.channel.js';
import { SlackChannel } from './channels/slack.channel.js';
import { TeamsChannel } from './channels/teams.channel.js';
import { WebhookChannel } from './channels/webhook.channel.js';
import { NotificationChannels } from './notification-channels.js';

/** How people are told elsewhere: of approvals and of alerts. Extensions add ways. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ChannelOutbound,
    MailChannel,
    MattermostChannel,
    NotificationChannels,
    NtfyChannel,
    PagerDutyChannel,
    SlackChannel,
    TeamsChannel,
    WebhookChannel,
  ],
  exports: [NotificationChannels],
})
export class NotificationsModule {}
