import type { MessagePort } from 'node:worker_threads';
import type { FenceRecord, SharedMemory } from '#engine';
import type { Route, TransportKind } from '../../http/index.ts';
import type { PreparedText } from '../../kernel/rights/index.ts';
import type { Config, MetricDefinition } from '../../platform/index.ts';
import type { ServiceMemory } from './service-memory.ts';

/** What every thread that reads gets when it starts. */
export interface ReaderData {
  readonly config: Config;
  readonly shared: SharedMemory;
  readonly systemModel: PreparedText;
}

/** Where a thread counts what it does. */
export interface MeasuredData extends ReaderData {
  readonly metrics: SharedArrayBuffer;
  readonly definitions: readonly MetricDefinition[];
}

/** What a thread gets that makes the services of modules. */
export interface ServiceData extends MeasuredData {
  /** `digestOf` the platform key: the key itself stays in the main thread. */
  readonly platformDigest: string;
  /** Opens the secrets of organizations, such as the password of their mail server. */
  readonly masterKey: string;
  readonly memory: ServiceMemory;
}

interface ThreadData extends ServiceData {
  /** Its slot in the memory of metrics. */
  readonly slot: number;
  /** To the writer. */
  readonly log: MessagePort;
  readonly queryPool: MessagePort;
}

export interface AcceptorData extends ThreadData {
  /** Where requests are counted by route: apart, because only acceptors know the routes. */
  readonly routeMetrics: SharedArrayBuffer;
  /** To the thread of tasks. */
  readonly tasks: MessagePort;
}

/** With what its thread is started: the way by which it gets its data once there are any. */
export interface AcceptorStart {
  readonly begins: MessagePort;
}

export type AcceptorRequest =
  | { readonly kind: 'listen' | 'drain' | 'make_room' }
  /** Without a text where the page could not be made. */
  | { readonly kind: 'metrics_page'; readonly text: string | undefined };

export type AcceptorReply =
  /** It listens as soon as it is told to. */
  | { readonly kind: 'loaded' }
  | {
      readonly kind: 'listening';
      readonly port: number;
      readonly sharesPort: boolean;
      readonly transport: TransportKind;
      /** For the page of metrics. */
      readonly routes: readonly Route[];
    }
  | { readonly kind: 'metrics_wanted' }
  | { readonly kind: 'drained'; readonly cutOff: number };

export interface TaskThreadData extends ThreadData {
  /** Where its tasks come from. */
  readonly tasks: MessagePort;
}

export interface DeliveryThreadData extends ThreadData {
  /** On a node of several: what it writes counts only while this node is the one that delivers. */
  readonly fence?: FenceRecord | undefined;
}

export interface PoolData extends MeasuredData {
  /** Next free slot in the memory of metrics, counted by the threads of the pool themselves. */
  readonly nextSlot: SharedArrayBuffer;
  readonly firstSlot: number;
  readonly slots: number;
}

/** The folder of the engine below the data folder. */
export const storeFolder = 'store';
