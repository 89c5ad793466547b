import { Engine, PortLog, type Store, startWriter } from '#engine';
import type { DataSet } from '../data/data-set.ts';
import { type CommitterThread, startCommitter } from '../threads/start-committer.ts';
import { STORE } from './import-data-set.ts';
import { writerSettings } from './writer-settings.ts';

export interface OpenOptions {
  readonly cacheBytes?: number;
  readonly nameBytes?: number;
}

/** A data set opened as the service has it: the writer in a thread of its own, this thread reading. */
export interface OpenedStore {
  readonly engine: Engine;
  readonly store: Store;
  /** Starts a thread that commits the data set's noise at this rate until it is told to stop. */
  commitMeanwhile(data: DataSet, commitsPerSecond: number): Promise<CommitterThread>;
  close(): Promise<void>;
}

export async function openStore(folder: string, options: OpenOptions = {}): Promise<OpenedStore> {
  const settings = writerSettings(folder, options.nameBytes);
  const writer = await startWriter(settings);
  const engine = await Engine.open({
    path: folder,
    joined: { shared: settings.shared, log: new PortLog(writer.connect()) },
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
  });
  return {
    engine,
    store: engine.store(STORE),
    commitMeanwhile(data, commitsPerSecond) {
      const tuples = Array.from({ length: NOISE_TUPLES }, (_, number) => data.noise(number * NOISE_STRIDE));
      return startCommitter({ port: writer.connect(), store: STORE, tuples, commitsPerSecond });
    },
    async close() {
      await engine.close();
      await writer.close();
    },
  };
}

/** How many different tuples come and go, and how far apart in the data set: a stride that is odd and prime. */
const NOISE_TUPLES = 5_000;
const NOISE_STRIDE = 48_611;
