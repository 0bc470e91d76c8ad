/**
 * What a drain of one endpoint is at. `…_again`: somebody said meanwhile that more may be due.
 *
 * - `due`: more may be due than what is held; it is fetched when there is room for it
 * - `fetching`: the next deliveries are being read
 * - `sending`: all that was due is held
 * - `releasing`: the last outcomes are being written, and with them the lease is given up
 * - `stopping`: nothing further is begun; what is under way is written. `stopping_fetch`: a fetch is still under way
 * - `ended`, `stopped`: nothing is held; `stopped` is for good
 */
export type DrainState =
  | 'due'
  | 'fetching'
  | 'fetching_again'
  | 'sending'
  | 'releasing'
  | 'releasing_again'
  | 'stopping'
  | 'stopping_fetch'
  | 'ended'
  | 'ended_again'
  | 'stopped';

/**
 * `woken`: more may be due · `fetch`: the next deliveries are asked for · `fetched_part`, `fetched_all`: there are more than
 * those that came, or not · `release`: nothing else is left to do than what is being written · `written`: that is done ·
 * `stop`: the process stops, or another worker has the endpoint · `end`: nothing is held
 */
export type DrainEvent =
  'woken' | 'fetch' | 'fetched_part' | 'fetched_all' | 'release' | 'written' | 'stop' | 'end';

/** Where each event leads. What is not listed leaves the state as it is. */
const TRANSITIONS: Record<DrainState, Partial<Record<DrainEvent, DrainState>>> = {
  due: { fetch: 'fetching', stop: 'stopping' },
  fetching: {
    woken: 'fetching_again',
    fetched_part: 'due',
    fetched_all: 'sending',
    stop: 'stopping_fetch',
  },
  fetching_again: { fetched_part: 'due', fetched_all: 'due', stop: 'stopping_fetch' },
  sending: { woken: 'due', release: 'releasing', stop: 'stopping', end: 'ended' },
  releasing: { woken: 'releasing_again', written: 'sending', stop: 'stopping' },
  releasing_again: { written: 'due', stop: 'stopping' },
  stopping: { end: 'stopped' },
  stopping_fetch: { fetched_part: 'stopping', fetched_all: 'stopping' },
  ended: { woken: 'ended_again' },
  ended_again: {},
  stopped: {},
};

export function after(state: DrainState, event: DrainEvent): DrainState {
  return TRANSITIONS[state][event] ?? state;
}

/** Where nothing is left to be fetched, so that the lease goes with the last outcomes. */
export function mayRelease(state: DrainState): boolean {
  return state === 'sending' || state === 'stopping';
}

/** Where a drain that holds nothing is over. */
export function mayEnd(state: DrainState): boolean {
  return 'end' in TRANSITIONS[state];
}

/** Where nothing further is begun. */
export function isStopping(state: DrainState): boolean {
  return state === 'stopping' || state === 'stopping_fetch' || state === 'stopped';
}

export function isOver(state: DrainState): boolean {
  return state === 'ended' || state === 'ended_again' || state === 'stopped';
}
