/** Why a run failed, in words for whoever reads the run. */
export class RunFailure extends Error {}
