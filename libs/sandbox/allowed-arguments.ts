import { constants } from 'node:os';
import { ALLOW, failWith, PRETEND } from './filter-program.js';
import type { Action, Choice } from './filter-program.js';

/**
 * What programs may ask for with calls that are many calls in one: options of sockets, ioctl, fcntl, prctl. The kernel reads all of
 * these numbers as 32 bits, and they are the same on both architectures (source: `asm-generic/socket.h`, `linux/in.h`,
 * `linux/in6.h`, `linux/tcp.h`, `asm-generic/ioctls.h`, `linux/sockios.h`, `asm-generic/fcntl.h`, `linux/fcntl.h`, `linux/prctl.h`).
 *
 * Anything else is refused as by a kernel that does not know it. Left out on purpose, since the kernel holds memory or limits of the
 * whole machine for it that no cgroup counts: programs for filtering, encryption and other layers under a socket, multicast groups,
 * flow labels, names of mappings, and filters of system calls.
 */
const numbers = (text: string): number[] =>
  text.split(',').map((entry) => Number(entry.trim().split(' ')[1]));

const SOL_IP = 0;
const SOL_SOCKET = 1;
const SOL_TCP = 6;
const SOL_IPV6 = 41;

/** SO_SNDBUF and SO_RCVBUF, see {@link SETSOCKOPT}. */
const BUFFER_SIZES = numbers('SO_SNDBUF 7, SO_RCVBUF 8');

const OPTIONS = new Map([
  [
    SOL_SOCKET,
    numbers(`SO_REUSEADDR 2, SO_KEEPALIVE 9, SO_ERROR 4, SO_REUSEPORT 15, SO_LINGER 13, SO_TYPE 3, SO_BROADCAST 6,
      SO_RCVTIMEO 20, SO_SNDTIMEO 21, SO_DEBUG 1, SO_DONTROUTE 5, SO_OOBINLINE 10, SO_PRIORITY 12, SO_PASSCRED 16,
      SO_PEERCRED 17, SO_RCVLOWAT 18, SO_SNDLOWAT 19, SO_ACCEPTCONN 30, SO_PROTOCOL 38, SO_DOMAIN 39, SO_PEEK_OFF 42,
      SO_COOKIE 57, SO_PEERGROUPS 59, SO_PEERPIDFD 77`),
  ],
  [
    SOL_TCP,
    numbers(`TCP_NODELAY 1, TCP_KEEPIDLE 4, TCP_KEEPINTVL 5, TCP_KEEPCNT 6, TCP_MAXSEG 2, TCP_CORK 3, TCP_SYNCNT 7,
      TCP_LINGER2 8, TCP_DEFER_ACCEPT 9, TCP_WINDOW_CLAMP 10, TCP_INFO 11, TCP_QUICKACK 12, TCP_USER_TIMEOUT 18,
      TCP_NOTSENT_LOWAT 25, TCP_INQ 36`),
  ],
  [
    SOL_IP,
    numbers(`IP_TOS 1, IP_TTL 2, IP_PKTINFO 8, IP_MTU_DISCOVER 10, IP_RECVERR 11, IP_RECVTTL 12, IP_RECVTOS 13, IP_MTU 14,
      IP_FREEBIND 15, IP_BIND_ADDRESS_NO_PORT 24, IP_MULTICAST_IF 32, IP_MULTICAST_TTL 33, IP_MULTICAST_LOOP 34,
      IP_MULTICAST_ALL 49`),
  ],
  [
    SOL_IPV6,
    numbers(`IPV6_V6ONLY 26, IPV6_UNICAST_HOPS 16, IPV6_MULTICAST_IF 17, IPV6_MULTICAST_HOPS 18, IPV6_MULTICAST_LOOP 19,
      IPV6_MTU_DISCOVER 23, IPV6_MTU 24, IPV6_RECVERR 25, IPV6_MULTICAST_ALL 29, IPV6_RECVPKTINFO 49,
      IPV6_RECVHOPLIMIT 51, IPV6_DONTFRAG 62, IPV6_RECVTCLASS 66, IPV6_TCLASS 67, IPV6_ADDR_PREFERENCES 72`),
  ],
]);

const NO_SUCH_OPTION = failWith(constants.errno.ENOPROTOOPT);

/** @param sizes what happens with the sizes of a socket's buffers. */
const socketOptions = (sizes: Action): Choice => ({
  argument: 1,
  cases: [...OPTIONS].map(([level, options]) => ({
    values: [level],
    then: {
      argument: 2,
      cases: [
        ...(level === SOL_SOCKET ? [{ values: BUFFER_SIZES, then: sizes }] : []),
        { values: options, then: ALLOW },
      ],
      otherwise: NO_SUCH_OPTION,
    },
  })),
  otherwise: NO_SUCH_OPTION,
});

/**
 * SO_SNDBUF and SO_RCVBUF ask for more than the network namespace gives by itself, which is what bounds the memory of sockets. They
 * are hints anyway, which kernels cut to a maximum of their own without an error.
 */
export const SETSOCKOPT = socketOptions(PRETEND);
export const GETSOCKOPT = socketOptions(ALLOW);

/** What there is in a box: pipes, sockets, regular files. Terminals are none: what asks for one hears that there is none. */
export const IOCTL: Choice = {
  argument: 1,
  cases: [
    {
      values:
        numbers(`FIONBIO 0x5421, FIOCLEX 0x5451, FIONREAD 0x541b, FIONCLEX 0x5450, FIOQSIZE 0x5460, SIOCOUTQ 0x5411,
        SIOCATMARK 0x8905, SIOCGIFNAME 0x8910, SIOCGIFCONF 0x8912, SIOCGIFFLAGS 0x8913, SIOCGIFADDR 0x8915,
        SIOCGIFDSTADDR 0x8917, SIOCGIFBRDADDR 0x8919, SIOCGIFNETMASK 0x891b, SIOCGIFMETRIC 0x891d, SIOCGIFMTU 0x8921,
        SIOCGIFHWADDR 0x8927, SIOCGIFINDEX 0x8933, SIOCGIFTXQLEN 0x8942`),
      then: ALLOW,
    },
  ],
  otherwise: failWith(constants.errno.ENOTTY),
};

/** Without leases and notices, which tell of others who use the same file. */
export const FCNTL: Choice = {
  argument: 1,
  cases: [
    {
      values:
        numbers(`F_DUPFD_CLOEXEC 1030, F_GETFD 1, F_SETFD 2, F_GETFL 3, F_SETFL 4, F_DUPFD 0, F_GETLK 5, F_SETLK 6,
        F_SETLKW 7, F_GETPIPE_SZ 1032, F_ADD_SEALS 1033, F_GET_SEALS 1034`),
      then: ALLOW,
    },
  ],
  otherwise: failWith(constants.errno.EINVAL),
};

export const PRCTL: Choice = {
  argument: 0,
  cases: [
    {
      // PR_SET_MM without rights is PR_SET_MM_MAP, with which an interpreter that has waited takes its run's arguments.
      values:
        numbers(`PR_SET_NAME 15, PR_GET_NAME 16, PR_SET_PDEATHSIG 1, PR_GET_PDEATHSIG 2, PR_GET_DUMPABLE 3,
        PR_SET_DUMPABLE 4, PR_CAPBSET_READ 23, PR_SET_TIMERSLACK 29, PR_GET_TIMERSLACK 30, PR_SET_MM 35,
        PR_SET_CHILD_SUBREAPER 36, PR_GET_CHILD_SUBREAPER 37, PR_SET_NO_NEW_PRIVS 38, PR_GET_NO_NEW_PRIVS 39,
        PR_SET_THP_DISABLE 41, PR_GET_THP_DISABLE 42, PR_SVE_SET_VL 50, PR_SVE_GET_VL 51, PR_GET_SPECULATION_CTRL 52,
        PR_PAC_RESET_KEYS 54, PR_SET_TAGGED_ADDR_CTRL 55, PR_GET_TAGGED_ADDR_CTRL 56`),
      then: ALLOW,
    },
  ],
  otherwise: failWith(constants.errno.EINVAL),
};

/** One bit of an argument is refused, whatever the others are. */
const without = (argument: number, bit: number, then: number): Choice => ({
  argument,
  mask: bit,
  cases: [{ values: [bit], then }],
  otherwise: ALLOW,
});

/** Pages of the machine's own pool, which no limit of memory counts. */
const NO_HUGE_PAGES = failWith(constants.errno.ENOMEM);
export const MEMFD_CREATE = without(1, 0x4 /* MFD_HUGETLB */, NO_HUGE_PAGES);
export const SHMGET = without(2, 0o4000 /* SHM_HUGETLB */, NO_HUGE_PAGES);

const MAP_SHARED = 0x01;
const MAP_ANONYMOUS = 0x20;
const MAP_HUGETLB = 0x40000;

/** @param memoryIsCounted false: shared memory without a file is refused as well, as it is counted for no process. */
export function mmapChoice(memoryIsCounted: boolean): Choice {
  const shared = MAP_SHARED | MAP_ANONYMOUS;
  const huge = [0, MAP_SHARED, MAP_ANONYMOUS, shared].map((flags) => flags | MAP_HUGETLB);
  return {
    argument: 3,
    mask: shared | MAP_HUGETLB,
    cases: [
      { values: huge, then: NO_HUGE_PAGES },
      ...(memoryIsCounted ? [] : [{ values: [shared], then: failWith(constants.errno.EPERM) }]),
    ],
    otherwise: ALLOW,
  };
}

/** Pages that are the same in several boxes are not merged: whoever writes to one can tell by the time that it takes. */
export const MADVISE: Choice = {
  argument: 2,
  cases: [{ values: numbers('MADV_MERGEABLE 12'), then: failWith(constants.errno.EINVAL) }],
  otherwise: ALLOW,
};

/** No flags: RWF_NOWAIT tells whether anybody has read that part of a file lately. */
export const READ_OR_WRITE: Choice = {
  argument: 5,
  cases: [{ values: [0], then: ALLOW }],
  otherwise: failWith(constants.errno.EOPNOTSUPP),
};

/** MS_SYNC is an fsync, which is not done either. */
export const MSYNC = without(2, 0x4, PRETEND);
