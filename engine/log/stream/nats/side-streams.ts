import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { EngineError } from '../../../errors.ts';
import type { Reading, SideStream, StreamEnds } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';
import { answered } from './connection/answered.ts';
import { type Disconnects, messageAt, readStream } from './read-stream.ts';
import { findStream } from './require-stream.ts';
import type { StreamSettings } from './settings.ts';

/** A leader that does not answer in this time may be gone. */
const PUBLISH_MS = 2000;
const NAME_IN_USE = 10058;
const LOG_BESIDE = 'relata_beside';

export interface SideStreamOptions {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly disconnects: Disconnects;
  readonly settings: Pick<StreamSettings, 'stream' | 'replicas'>;
  /** Identity of the log, in hexadecimal. */
  readonly log: string;
  readonly number: number;
}

/**
 * A stream of JetStream beside that of a log. Its name has the log's identity, so that those of a log that was replaced are
 * never taken for it.
 */
export class JetStreamBeside implements SideStream {
  readonly #options: SideStreamOptions;
  readonly #name: string;
  #isThere = false;

  constructor(options: SideStreamOptions) {
    this.#options = options;
    this.#name = sideStreamName(options.settings.stream, options.log, options.number);
  }

  async publish(bytes: Uint8Array): Promise<number> {
    const { client, settings, log, number } = this.#options;
    if (!this.#isThere) await this.#make();
    const expect = { streamName: this.#name };
    const subject = subjectOf(settings.stream, log, number);
    return (await answered(client.publish(subject, bytes, { timeout: PUBLISH_MS, expect }))).seq;
  }

  async ends(): Promise<StreamEnds> {
    const found = await findStream(this.#options.manager, this.#name);
    if (found === undefined) return { first: 1, last: 0 };
    // a server that is left of a majority tells what it has, which others may be ahead of
    const hasNoLeader = found.cluster !== undefined && !found.cluster.leader;
    if (hasNoLeader) throw new EngineError('unavailable', `no server leads the stream ${this.#name}`);
    return { first: found.state.first_seq, last: found.state.last_seq };
  }

  message(sequence: number): Promise<Uint8Array | undefined> {
    return messageAt(this.#options.manager, this.#name, sequence);
  }

  read(from: number, onMessage: (message: StreamMessage) => void): Promise<Reading> {
    const { client, disconnects } = this.#options;
    return readStream({ client, disconnects, stream: this.#name, sequence: from }, onMessage);
  }

  async #make(): Promise<void> {
    const { manager, settings, log, number } = this.#options;
    try {
      await manager.streams.add({
        name: this.#name,
        subjects: [subjectOf(settings.stream, log, number)],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.New,
        num_replicas: settings.replicas,
        max_age: 0,
        max_bytes: -1,
        max_msgs: -1,
        deny_delete: true,
        allow_direct: false,
        metadata: { [LOG_BESIDE]: log },
      });
    } catch (error) {
      // another node has made it meanwhile, or before
      if (!(error instanceof JetStreamApiError && error.code === NAME_IN_USE)) await answered(Promise.reject(error));
    }
    this.#isThere = true;
  }
}

interface FoundSideStream {
  readonly number: number;
  readonly name: string;
}

/** The streams beside a log that are there, in the order of their numbers. */
export async function findSideStreams(
  manager: JetStreamManager,
  stream: string,
  log: string,
): Promise<(FoundSideStream & { readonly info: StreamInfo })[]> {
  const found: (FoundSideStream & { readonly info: StreamInfo })[] = [];
  for (const each of await nameSideStreams(manager, stream, log)) {
    const info = await findStream(manager, each.name);
    if (info?.config.metadata?.[LOG_BESIDE] === log) found.push({ ...each, info });
  }
  return found;
}

/** The same by their names alone: also those that have no leader. */
export async function nameSideStreams(
  manager: JetStreamManager,
  stream: string,
  log: string,
): Promise<FoundSideStream[]> {
  const found: FoundSideStream[] = [];
  const prefix = sideStreamName(stream, log, '');
  for await (const name of manager.streams.names(`${subjectOf(stream, log, '')}*`)) {
    if (name.startsWith(prefix)) found.push({ number: Number(name.slice(prefix.length)), name });
  }
  return found.toSorted((one, other) => one.number - other.number);
}

/** Of logs that nobody follows any more. */
export async function removeSideStreams(
  manager: JetStreamManager,
  stream: string,
  logs: ReadonlySet<string>,
): Promise<void> {
  for (const log of logs) {
    if (log === '') continue;
    for (const { info } of await answered(findSideStreams(manager, stream, log))) {
      await answered(manager.streams.delete(info.config.name));
    }
  }
}

export function sideStreamName(stream: string, log: string, number: number | ''): string {
  return `${stream}-${log}-${number}`;
}

function subjectOf(stream: string, log: string, number: number | ''): string {
  return `${stream}.log.${log}.${number}`;
}
