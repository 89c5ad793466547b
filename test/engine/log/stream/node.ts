import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../../../engine/engine.ts';
import type { EngineError } from '../../../../engine/errors.ts';
import { LOG_FORMAT } from '../../../../engine/log/stream/log-format.ts';
import type { MessageStream } from '../../../../engine/log/stream/message-stream.ts';
import { StreamLog, type StreamLogOptions } from '../../../../engine/log/stream/stream-log.ts';
import { adoptLogIdentity } from '../../../../engine/store/folder/log-identity.ts';
import { allocateShared, type OpenedWriter, openWriter } from '../../../../engine/store/open-writer.ts';
import { rowsOf, TIME } from '../../store/scratch-store.ts';

const RETENTION = { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 };

interface NodeOptions extends Pick<StreamLogOptions, 'waitMs' | 'streams' | 'carriedBytesMin' | 'waitingBytesMax'> {
  readonly path?: string;
  readonly isAgreed?: boolean;
}

/** A store that follows a stream, in this thread. */
export class StreamNode {
  readonly path: string;
  readonly log: StreamLog;
  readonly engine: Engine;
  readonly opened: OpenedWriter;
  readonly stops: EngineError[];

  private constructor(parts: Pick<StreamNode, 'path' | 'log' | 'engine' | 'opened' | 'stops'>) {
    this.path = parts.path;
    this.log = parts.log;
    this.engine = parts.engine;
    this.opened = parts.opened;
    this.stops = parts.stops;
  }

  static async open(
    stream: MessageStream,
    {
      path = mkdtempSync(join(tmpdir(), 'relata-node-')),
      waitMs = 10_000,
      isAgreed = true,
      ...streams
    }: NodeOptions = {},
  ): Promise<StreamNode> {
    const shared = allocateShared(2 ** 16);
    const chainKey = Buffer.from('a key that all nodes have');
    const opened = openWriter({ path, shared, retention: RETENTION, chainKey, isShared: true });
    const stops: EngineError[] = [];
    try {
      const { tables, writer } = opened;
      writer.apply([], () => adoptLogIdentity(tables, stream.log));
      const log = await StreamLog.open({
        stream,
        tables,
        writer,
        waitMs,
        ...streams,
        ...(isAgreed ? { format: LOG_FORMAT } : {}),
        retryMs: 5,
        onStop: (error) => stops.push(error),
      });
      const engine = await Engine.open({ path, joined: { shared, log }, clock: () => TIME });
      return new StreamNode({ path, log, engine, opened, stops });
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /** All that commands have made: the same on every node that has applied as much. */
  rows(): string[] {
    return rowsOf(this.path);
  }

  /** Its folder stays. */
  async close(): Promise<void> {
    await this.engine.close();
    await this.opened.close();
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}
