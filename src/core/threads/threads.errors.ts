/** The work took more time or memory than it may, and was ended. Nothing else was harmed. */
export class WorkTooHeavy extends Error {
  constructor(readonly reason: 'time' | 'memory') {
    super(reason === 'time' ? 'the work took too long' : 'the work took too much memory');
  }
}

/** So much other work was waiting that this was not begun. */
export class ThreadsBusy extends Error {
  constructor() {
    super('too much work is waiting');
  }
}
