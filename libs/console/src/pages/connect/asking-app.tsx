import type { AppRequest } from '@gatehouse/client/operations';
import { Alert, Stack, Text } from '@mantine/core';

/** Who asks, and what can be known of it: an app may call itself whatever it likes. */
export function AskingApp({ request: { app, userCode, deviceAddress } }: { request: AppRequest }) {
  return (
    <Stack gap="xs">
      <Text>
        <Text span fw={600} className="user-text">
          {app.name}
        </Text>{' '}
        wants to act for you on Gatehouse.
      </Text>
      <Text size="sm" c="dimmed" className="user-text">
        {originOf(app)}
        {app.redirectHost !== null && ` Your answer goes to ${app.redirectHost}.`}
      </Text>
      {app.registered === 'dynamic' && !app.local && (
        <Alert variant="light" color="yellow" title="A name that nobody has checked">
          Any program can register under the name {app.name}. Go on only if you started this yourself just now
          {app.redirectHost !== null && `, and know ${app.redirectHost} as the app's own`}.
        </Alert>
      )}
      {app.local && (
        <Alert variant="light" color="yellow" title="A program on this computer">
          Any program on this computer can pretend to be {app.name}. Go on only if you started this yourself
          just now.
        </Alert>
      )}
      {userCode !== null && (
        <Alert variant="light" color="yellow" title={<ShownCode code={userCode} />}>
          Go on only if you started this yourself, and it shows exactly this code. Nobody has a reason to send
          you one. {deviceAddress !== null && `It asked from ${deviceAddress}.`}
        </Alert>
      )}
    </Stack>
  );
}

/** On one line, since it is to be compared. */
function ShownCode({ code }: { code: string }) {
  return (
    <>
      Does the device show <span style={{ whiteSpace: 'nowrap' }}>{code}</span>?
    </>
  );
}

function originOf({ registered, host }: AppRequest['app']): string {
  if (registered === 'built_in') return 'It is a part of Gatehouse.';
  if (registered === 'document') return `It comes from ${host}.`;
  if (registered === 'operator') return 'The operator of this Gatehouse has registered it.';
  return 'It registered itself: nobody vouches for its name.';
}
