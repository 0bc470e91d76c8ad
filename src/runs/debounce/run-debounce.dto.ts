export class RunDebounceDto {
  /** What its inputs make of the version's key; empty where that has none. */
  key: string;

  /** How many starts it stands for. Its inputs, version and `startedBy` are those of the newest. */
  starts: number;

  /** It waits no longer than until then, whatever is started. */
  until: string;
}
