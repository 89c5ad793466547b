import { workerData } from 'node:worker_threads';
import { modules } from '../../modules.ts';
import type { DeliveryThreadData } from '../thread-data.ts';
import { serveDeliveries } from './serve-deliveries.ts';

/** Entry of the delivery thread. */
await serveDeliveries(workerData as DeliveryThreadData, modules);
