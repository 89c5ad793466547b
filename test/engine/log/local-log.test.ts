import { describe, expect, it } from 'vitest';
import type { CommitResult, PackedCommand } from '../../../engine/command/command.ts';
import { EngineError, failure, type Outcome } from '../../../engine/errors.ts';
import { type Applier, LocalLog } from '../../../engine/log/local-log.ts';

const command = (id: string): PackedCommand => ({ id, time: 0, changes: [] });
const BATCH_MAX = 512;

/** Notes the batches that it is given, and does what the id of a command says. */
class Recorder implements Applier {
  readonly batches: string[][] = [];
  #revision = 0;

  apply(commands: readonly PackedCommand[]): Outcome<CommitResult>[] {
    this.batches.push(commands.map(({ id }) => id));
    return commands.map(({ id }) => {
      if (id === 'broken') throw new Error('disk full');
      if (id === 'refused') return failure(new EngineError('conflict', 'no', { index: 'x' }));
      return { ok: true, value: { revision: ++this.#revision, tuplesChanged: 0 } };
    });
  }
}

describe('the local log', () => {
  it('applies what is submitted in one turn as one batch, in order', async () => {
    const recorder = new Recorder();
    const log = new LocalLog(recorder);
    const results = await Promise.all(['a', 'b', 'c'].map((id) => log.submit(command(id))));
    expect(recorder.batches).toEqual([['a', 'b', 'c']]);
    expect(results.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  it('forms the next batch of what comes while one is applied', async () => {
    const recorder = new Recorder();
    const log = new LocalLog(recorder);
    const next = log.submit(command('a')).then(() => Promise.all(['b', 'c'].map((id) => log.submit(command(id)))));
    await Promise.all([next, log.submit(command('a2'))]);
    expect(recorder.batches).toEqual([
      ['a', 'a2'],
      ['b', 'c'],
    ]);
  });

  it('bounds a batch, and counts what waits', async () => {
    const recorder = new Recorder();
    const log = new LocalLog(recorder);
    const all = Array.from({ length: BATCH_MAX * 2 + 1 }, (_, n) => log.submit(command(String(n))));
    expect(log.pending).toBe(BATCH_MAX * 2 + 1);
    await Promise.all(all);
    expect(recorder.batches.map((batch) => batch.length)).toEqual([BATCH_MAX, BATCH_MAX, 1]);
    expect(log.pending).toBe(0);
  });

  it('answers each command with its own outcome', async () => {
    const log = new LocalLog(new Recorder());
    const outcomes = await Promise.allSettled(['a', 'refused', 'b'].map((id) => log.submit(command(id))));
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: { revision: 1 } },
      { status: 'rejected', reason: { code: 'conflict', details: { index: 'x' } } },
      { status: 'fulfilled', value: { revision: 2 } },
    ]);
  });

  it('fails a batch that cannot be stored, and goes on with the next', async () => {
    const log = new LocalLog(new Recorder());
    const outcomes = await Promise.allSettled(['a', 'broken'].map((id) => log.submit(command(id))));
    expect(outcomes).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
    await expect(log.submit(command('b'))).resolves.toMatchObject({ tuplesChanged: 0 });
  });

  it('lets a barrier pass when all before it have an outcome, and waits for none after it', async () => {
    const log = new LocalLog(new Recorder());
    await log.barrier();
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    const before = ['refused', 'broken'].map((id) => log.submit(command(id)).catch(note(id)));
    const many = Array.from({ length: BATCH_MAX }, (_, n) => log.submit(command(String(n))));
    const last = many.at(-1)?.then(note('last'));
    const barrier = log.barrier().then(note('passed'));
    const after = Array.from({ length: BATCH_MAX }, (_, n) => log.submit(command(String(n))));
    const afterwards = after.at(-1)?.then(note('after'));
    await Promise.allSettled([...before, ...many, last, barrier, afterwards]);
    expect(order).toEqual(['refused', 'broken', 'last', 'passed', 'after']);
    await log.close();
    await expect(log.barrier()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('lets a barrier pass when it closes with commands before it', async () => {
    const log = new LocalLog(new Recorder());
    const submitted = log.submit(command('a'));
    const barrier = log.barrier();
    await log.close();
    await Promise.all([submitted, barrier]);
  });

  it('answers what is pending when it closes, and refuses what comes after', async () => {
    const recorder = new Recorder();
    const log = new LocalLog(recorder);
    const pending = ['a', 'b'].map((id) => log.submit(command(id)));
    await log.close();
    expect(await Promise.all(pending)).toHaveLength(2);
    await expect(log.submit(command('c'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(recorder.batches).toEqual([['a', 'b']]);
  });
});
