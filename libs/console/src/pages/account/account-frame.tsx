import { Anchor } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';

import { useUser } from '../../api/session.js';
import { homePlace } from '../../app/places.js';
import { PlainFrame } from '../../app/plain-frame.js';

export function AccountFrame() {
  const user = useUser();
  const home = homePlace(user);
  const name = user.workspaces.find(({ slug }) => slug === home?.workspace)?.name;
  return (
    <PlainFrame
      back={
        <Anchor size="sm" truncate className="user-text" renderRoot={(props) => <Link to="/" {...props} />}>
          {name ? `Back to ${name}` : 'Back'}
        </Anchor>
      }
    >
      <Outlet />
    </PlainFrame>
  );
}
