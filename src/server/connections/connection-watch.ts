import { ConnectionBound, type TransportKind } from '../../http/index.ts';
import {
  addressList,
  type Background,
  type Config,
  type Counter,
  type Log,
  type Metrics,
  openFiles,
  openFilesMax,
} from '../../platform/index.ts';
import type { AcceptorGroup } from '../threads/acceptors.ts';
import { connectionsMax, type Files } from './connections-max.ts';

export interface ConnectionWatchDependencies {
  readonly acceptors: AcceptorGroup;
  readonly transport: TransportKind;
  readonly memory: SharedArrayBuffer;
  readonly config: Config;
  readonly background: Background;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Sockets of Node.js are counted as they come, and nothing but other files is to be watched there. */
const lookMs: Readonly<Record<TransportKind, number>> = { uws: 50, socket: 1000 };
const SAMPLE_MS = 1000;
const TELL_MS = 10_000;

/**
 * Sets the bounds of connections once every thread listens, and watches for what a transport cannot bound by itself: if
 * too many files are open, the acceptors make room in turn.
 * @throws ConfigError if the limit of open files is too low
 */
export function watchConnections({
  acceptors,
  transport,
  memory,
  config,
  background,
  metrics,
  log,
}: ConnectionWatchDependencies): void {
  const { connections, connectionsPerAddress } = config.limits;
  const files = filesNow();
  const most = connectionsMax(connections, files);
  const perAddress = connectionsPerAddress === 0 ? Math.ceil(most / 2) : connectionsPerAddress;
  new ConnectionBound(memory, addressList([])).limit(most, perAddress);
  log.info(
    { connections: most, perAddress, openFiles: files?.open, openFilesMax: files?.max },
    'connections are bounded',
  );
  if (files === undefined || most === 0) return;
  const openGauge = metrics.gauge('process_open_fds');
  metrics.gauge('process_max_fds').set(files.max);
  background.every('sampler', SAMPLE_MS, () => openGauge.set(openFiles() ?? files.max));
  const made = metrics.counter('relata_connections_room_made_total');
  const room = roomMaker(acceptors, made, log);
  background.every('connections', lookMs[transport], () => {
    // a folder that cannot be read counts as one with too many files
    if ((openFiles() ?? files.max) > files.open + most) room();
  });
}

function roomMaker(acceptors: AcceptorGroup, made: Counter, log: Log): () => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    acceptors.makeRoom();
    made.add();
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    log.warn({}, 'too many files are open: room is made for connections');
  };
}

function filesNow(): Files | undefined {
  const max = openFilesMax();
  const open = openFiles();
  return max === undefined || open === undefined ? undefined : { open, max };
}
