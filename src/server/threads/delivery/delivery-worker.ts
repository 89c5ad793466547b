import type { FenceRecord, WriterThread } from '#engine';
import type { ThreadedQueryPool } from '../query-pool.ts';
import { portTo, StartedThread } from '../started-thread.ts';
import type { DeliveryThreadData, ServiceData } from '../thread-data.ts';

export interface DeliveryWorkerDependencies {
  readonly data: ServiceData;
  readonly fence?: FenceRecord | undefined;
  readonly writer: Pick<WriterThread, 'connect'>;
  readonly pool: Pick<ThreadedQueryPool, 'serve'>;
  /** Its slot in the memory of metrics. */
  readonly slot: number;
}

const ENTRY = new URL('./delivery-thread.js', import.meta.url);
/** As in acceptors: most of what a delivery makes is gone with its commit. */
const YOUNG_MEGABYTES = 32;

/** A delivery thread that was started. What was under way when it ends is sent again at the next start. */
export class DeliveryWorker extends StartedThread<DeliveryThreadData> {
  constructor({ data, fence, writer, pool, slot }: DeliveryWorkerDependencies) {
    const ports = { log: writer.connect(), queryPool: portTo(pool) };
    super({
      entry: ENTRY,
      data: { ...data, fence, slot, ...ports },
      ports: Object.values(ports),
      youngMegabytes: YOUNG_MEGABYTES,
    });
  }
}
