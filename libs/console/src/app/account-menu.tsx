import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import IconUserCircle from 'icon:user-circle';
import { Link } from '@tanstack/react-router';

import { useUser } from '../api/session.js';
import { signOut } from './sign-out.js';

const SCHEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'As the system'],
] as const;

export function AccountMenu() {
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();

  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Your account">
          <IconUserCircle aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="user-text">
          {user.name} · {user.email}
        </Menu.Label>
        <Menu.Item renderRoot={(props) => <Link to="/account" {...props} />}>Account</Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            fw={colorScheme === scheme ? 600 : undefined}
            onClick={() => setColorScheme(scheme)}
            closeMenuOnClick={false}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
