export class LivenessDto {
  /** `live` for as long as the process answers at all. */
  status: 'live';
}

export class LoadedExtensionDto {
  name: string;

  version: string | null;
}

export class ReadinessDto {
  /** `ready`: everything that a request needs works. */
  status: 'ready';

  /** Each part that was looked at, by name, and how it is. */
  checks: Record<string, string>;

  /** What extends this process, by `GATEHOUSE_EXTENSIONS`; left out where nothing does. */
  extensions?: LoadedExtensionDto[];
}
