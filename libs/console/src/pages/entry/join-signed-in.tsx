import type { InvitationOffer, UserMe } from '@gatehouse/client/operations';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { isProblem } from '../../api/problem.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { useAccept } from './use-accept.js';

export function JoinSignedIn({
  offer,
  token,
  user,
}: {
  offer: InvitationOffer;
  token: string;
  user: UserMe;
}) {
  const { run, busy, problem } = useAccept(token, user);
  return (
    <>
      {problem !== null && <ProblemNotice error={problem} />}
      {isProblem(problem, 'conflict') ? (
        <Button renderRoot={(props) => <Link to="/" {...props} />}>To your scripts</Button>
      ) : (
        <Button loading={busy} onClick={() => void run({})} className="user-text">
          Join as {offer.email}
        </Button>
      )}
    </>
  );
}
