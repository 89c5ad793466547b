import { allocateShared, DEFAULT_RETENTION, type LogRetention, type SharedMemory } from '#engine';

export interface WriterSettings {
  readonly path: string;
  readonly shared: SharedMemory;
  readonly retention: LogRetention;
}

/** As the service has them by default. `nameBytes` is the engine's own choice where it is absent. */
export function writerSettings(path: string, nameBytes?: number): WriterSettings {
  return { path, shared: allocateShared(nameBytes), retention: DEFAULT_RETENTION };
}
