/** Why a run failed. The message is shown to everybody who may see the run. */
export class RunFailure extends Error {}
