import { allocateShared, type LogRetention, type SharedMemory } from '#engine';

/** As the service has them by default. */
const RETENTION: LogRetention = { commitsMax: 1_000_000, bytesMax: 64 * 2 ** 20 };

export interface WriterSettings {
  readonly path: string;
  readonly shared: SharedMemory;
  readonly retention: LogRetention;
}

/** `nameBytes` is the engine's own choice where it is absent. */
export function writerSettings(path: string, nameBytes?: number): WriterSettings {
  return { path, shared: allocateShared(path, nameBytes), retention: RETENTION };
}
