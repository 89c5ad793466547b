import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommitResult, PackedCommand } from '../../../engine/command/command.ts';
import { encodeCommand } from '../../../engine/command/encoding/command-codec.ts';
import { EngineError } from '../../../engine/errors.ts';
import type { CommandLog } from '../../../engine/log/log.ts';
import { type AnswerMessage, PortLog } from '../../../engine/log/port-log.ts';
import { servePort } from '../../../engine/log/serve-port.ts';

const command = (id: string, context: Readonly<Record<string, unknown>> = {}): PackedCommand => ({
  id,
  time: 0,
  changes: [
    { op: 'put_record', store: 's', record: { collection: 'c', id, json: '{}', indexes: { by: id } } },
    {
      op: 'write_tuples',
      store: 's',
      tuples: [{ object: 'doc:1', relation: 'viewer', subject: 'user:u', condition: { name: 'recent', context } }],
    },
  ],
});

/** What stands behind the port: answers when it is told to, or at once. */
class Behind implements CommandLog {
  readonly seen: PackedCommand[] = [];
  readonly #held: (() => void)[] = [];
  holds = false;
  isClosing = false;
  readonly pending = 0;

  submit(given: PackedCommand): Promise<CommitResult> {
    this.seen.push(given);
    const revision = this.seen.length;
    return new Promise((resolve, reject) => {
      const answer = () => {
        if (given.id === 'refused') reject(new EngineError('precondition_failed', 'no', { path: 'preconditions/0' }));
        else if (given.id === 'crashed') reject(new TypeError('a mistake'));
        else resolve({ revision, tuplesChanged: 0 });
      };
      if (this.holds) this.#held.push(answer);
      else answer();
    });
  }

  /** Answers all, the last first. */
  release(): void {
    for (const answer of this.#held.splice(0).toReversed()) answer();
  }

  /** Passed when all that it holds is answered. */
  barrier(): Promise<void> {
    if (this.isClosing) return Promise.reject(new EngineError('unavailable', 'the store is closing'));
    return new Promise((resolve) => {
      if (this.#held.length === 0) resolve();
      else this.#held.unshift(resolve);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

let behind: Behind;
let far: MessagePort;
let log: PortLog;

beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  behind = new Behind();
  far = port2;
  servePort(far, behind);
  log = new PortLog(port1);
});

afterEach(() => far.close());

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the log behind a port', () => {
  it('gets the commands in order, as they were', async () => {
    const given = ['a', 'b', 'c'].map((id) => command(id, { id, list: [1, null], at: 2n ** 40n }));
    const results = await Promise.all(given.map((each) => log.submit(each)));
    expect(behind.seen).toEqual(given);
    expect(results.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  it('answers each command with its own outcome, in whatever order they come', async () => {
    behind.holds = true;
    const all = Promise.allSettled(['a', 'refused', 'crashed', 'b'].map((id) => log.submit(command(id))));
    await until(() => behind.seen.length === 4);
    expect(log.pending).toBe(4);
    behind.release();
    expect(await all).toMatchObject([
      { value: { revision: 1 } },
      { reason: { code: 'precondition_failed', details: { path: 'preconditions/0' } } },
      { reason: { code: 'unavailable' } },
      { value: { revision: 4 } },
    ]);
    expect((await all)[1]).toMatchObject({ reason: expect.any(EngineError) });
    expect(log.pending).toBe(0);
  });

  it('never sees a command that cannot go to another thread, which fails alone', async () => {
    const outcomes = await Promise.allSettled([
      log.submit(command('a')),
      log.submit(command('bad', { at: () => 'a function' })),
      log.submit(command('b')),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'invalid_argument' } },
      { status: 'fulfilled' },
    ]);
    expect(behind.seen.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(log.pending).toBe(0);
  });

  it('answers what is pending before it closes, and refuses what comes after', async () => {
    behind.holds = true;
    const pending = log.submit(command('a'));
    const closed = log.close();
    await expect(log.submit(command('b'))).rejects.toMatchObject({ code: 'unavailable' });
    await until(() => behind.seen.length === 1);
    behind.release();
    await closed;
    expect(await pending).toMatchObject({ revision: 1 });
  });

  it('lets a barrier pass after the commands before it, one for all who ask in a turn', async () => {
    behind.holds = true;
    const order: string[] = [];
    const submitted = log.submit(command('a')).then(() => order.push('answered'));
    const barriers = [log.barrier(), log.barrier()].map((passed) => passed.then(() => order.push('passed')));
    await until(() => behind.seen.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual([]);
    behind.release();
    await Promise.all([submitted, ...barriers]);
    expect(order).toEqual(['answered', 'passed', 'passed']);
    await log.barrier();
  });

  it('fails a barrier of which nobody knows, and those that come after the writer is gone', async () => {
    behind.isClosing = true;
    await expect(log.barrier()).rejects.toMatchObject({ name: 'EngineError', code: 'unavailable' });
    behind.isClosing = false;
    behind.holds = true;
    const submitted = log.submit(command('a'));
    await until(() => behind.seen.length === 1);
    const barrier = log.barrier();
    far.close();
    for (const each of [submitted, barrier]) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
    await expect(log.barrier()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuses all commands of a block that is damaged, and submits none of them', async () => {
    const { port1, port2 } = new MessageChannel();
    servePort(port2, behind);
    const answer = new Promise<AnswerMessage>((resolve) => port1.once('message', resolve));
    const bytes = encodeCommand(command('a'));
    port1.postMessage({ first: 7, count: 2, commands: Uint8Array.from([...bytes, ...bytes.subarray(0, 9)]) });
    expect((await answer).failed).toMatchObject([
      [7, { code: 'corrupt' }],
      [8, { code: 'corrupt' }],
    ]);
    expect(behind.seen).toEqual([]);
    port1.close();
  });

  it('fails what is pending when the writer is gone', async () => {
    behind.holds = true;
    const pending = [log.submit(command('a')), log.submit(command('b'))];
    await until(() => behind.seen.length === 2);
    far.close();
    for (const each of pending) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
    await expect(log.submit(command('c'))).rejects.toMatchObject({ code: 'unavailable' });
    await log.close();
  });
});
