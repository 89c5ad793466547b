import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../engine/command/command.ts';
import { packCommand } from '../../../engine/command/pack-command.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { CommandLog } from '../../../engine/log/log.ts';
import { formatTuple } from '../../../engine/tuple.ts';
import { storeOf, TIME } from '../store/scratch-store.ts';

/** A real log over a real store. */
export interface LogUnderTest {
  /** Submits through `log`, and reads what is applied. */
  readonly engine: Engine;
  readonly log: CommandLog;
  /** Another way into the same order, where there is one; the same `log` otherwise. */
  readonly other: CommandLog;
  /** The same folder with nothing kept in memory. This one is closed then. */
  reopen(): Promise<LogUnderTest>;
  /** Closes both ways and removes the folder. */
  close(): Promise<void>;
}

const COMMANDS = 600;
const LARGE_BYTES = 3 * 2 ** 20;

const viewer = (doc: string): Change => ({
  op: 'write_tuples',
  store: 's',
  tuples: [{ object: `doc:${doc}`, relation: 'viewer', subject: 'user:u' }],
});
const record = (id: string, document: unknown): Change => ({
  op: 'put_record',
  store: 's',
  record: { collection: 'notes', id, document },
});

/**
 * What every log must do, in the words of `CommandLog` and of record 13. An implementation passes all of it, with a store
 * that applies what it orders.
 */
export function describeLog(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`the contract of a log: ${name}`, () => {
    let given: LogUnderTest;
    let made = 0;
    const submit = (changes: readonly Change[], { to = given.log, id = `c${made++}` } = {}) =>
      to.submit(packCommand({ id, time: TIME, changes }));
    const tuples = (): string[] =>
      given.engine
        .store('s')
        .readTuples({ limit: 10_000 })
        .tuples.map((tuple) => formatTuple(tuple));
    const noteOf = (id: string) => given.engine.store('s').records.get('notes', id)?.document;

    beforeEach(async () => {
      given = await open();
      await submit(storeOf('s'));
    });
    afterEach(() => given.close());

    it('shows a commit to every read that begins after its answer, at the revision of the answer', async () => {
      for (let n = 0; n < 20; n++) {
        const { revision, tuplesChanged } = await submit([viewer(String(n))]);
        expect(given.engine.revision()).toBe(revision);
        expect([tuplesChanged, tuples().length]).toEqual([1, n + 1]);
      }
    });

    it('answers each command with its own outcome; one that is refused fails alone and wholly', async () => {
      const outcomes = await Promise.allSettled([
        submit([viewer('1')]),
        submit([viewer('2'), { op: 'create_store', store: 's' }]),
        submit([viewer('3')]),
      ]);
      expect(outcomes).toMatchObject([
        { status: 'fulfilled' },
        { status: 'rejected', reason: { name: 'EngineError', code: 'store_exists' } },
        { status: 'fulfilled' },
      ]);
      expect(tuples().toSorted()).toEqual(['doc:1#viewer@user:u', 'doc:3#viewer@user:u']);
    });

    it('judges preconditions where a command stands in the order: of many, one alone takes what is there once', async () => {
      const take = (to: CommandLog, by: string) =>
        to.submit(
          packCommand({
            id: by,
            time: TIME,
            preconditions: [{ require: 'record_absent', store: 's', collection: 'notes', id: 'once' }],
            changes: [record('once', by)],
          }),
        );
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, n) => take(n % 2 === 0 ? given.log : given.other, `t${n}`)),
      );
      const taken = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [`t${n}`] : []));
      expect(taken).toHaveLength(1);
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      for (const each of refused) expect(each).toMatchObject({ reason: { code: 'precondition_failed' } });
      await given.log.barrier();
      expect(noteOf('once')).toBe(taken[0]);
    });

    it('has one order for all ways: every commit has a revision of its own, and the last one of a record stays', async () => {
      const committed = await Promise.all(
        Array.from({ length: COMMANDS }, async (_, n) => {
          const to = n % 2 === 0 ? given.log : given.other;
          const { revision } = await submit([record('same', n)], { to });
          return { n, revision };
        }),
      );
      const revisions = committed.map(({ revision }) => revision).toSorted((one, other) => one - other);
      expect(revisions).toEqual(Array.from({ length: COMMANDS }, (_, n) => n + 2));
      await given.log.barrier();
      expect(given.engine.revision()).toBe(COMMANDS + 1);
      expect(noteOf('same')).toBe(committed.find(({ revision }) => revision === COMMANDS + 1)?.n);
      expect([given.log.pending, given.other.pending]).toEqual([0, 0]);
    });

    it('counts what is not answered yet', async () => {
      const all = ['1', '2', '3'].map((doc) => submit([viewer(doc)]));
      expect(given.log.pending).toBe(3);
      await Promise.all(all);
      expect(given.log.pending).toBe(0);
    });

    it('lets a barrier pass when all before it is seen: what was submitted, refused, and answered to others', async () => {
      await given.log.barrier();
      for (let round = 0; round < 10; round++) {
        await submit([viewer(`other-${round}`)], { to: given.other });
        const own = submit([viewer(`own-${round}`)]);
        const refused = submit([{ op: 'create_store', store: 's' }]).catch(({ code }) => code);
        await given.log.barrier();
        expect(tuples()).toEqual(
          expect.arrayContaining([`doc:other-${round}#viewer@user:u`, `doc:own-${round}#viewer@user:u`]),
        );
        expect(await Promise.all([own, refused])).toMatchObject([{ tuplesChanged: 1 }, 'store_exists']);
      }
    });

    it('brings a command as it was made, whatever text is in it', async () => {
      const odd = {
        '': '\ud800 ü 😀 \0',
        deep: { list: [1.5, -0, 1e300, null, true, []] },
        'a\nb': 'x'.repeat(70_000),
      };
      await submit([
        record('odd', odd),
        {
          op: 'write_tuples',
          store: 's',
          tuples: [
            {
              object: 'doc:ü-😀',
              relation: 'viewer',
              subject: 'user:u',
              condition: { name: 'recent', context: { age: 3 } },
              expiresAt: TIME + 1,
            },
          ],
        },
      ]);
      expect(noteOf('odd')).toEqual(JSON.parse(JSON.stringify(odd)));
      expect(given.engine.store('s').readTuples({ limit: 1 }).tuples).toMatchObject([
        { object: 'doc:ü-😀', condition: { name: 'recent', context: { age: 3 } }, expiresAt: TIME + 1 },
      ]);
    });

    it('applies large commands wholly and once, in one order with others', async () => {
      const large = (id: string, to: CommandLog) =>
        submit([viewer(id), record('large', id.repeat(LARGE_BYTES)), record(id, 'x'.repeat(LARGE_BYTES))], { to });
      const answers = await Promise.all([
        submit([viewer('before')]),
        large('1', given.log),
        submit([viewer('after')]),
        large('2', given.other),
        large('3', given.log),
      ]);
      await given.log.barrier();
      const revisions = answers.map(({ revision }) => revision);
      expect(revisions.toSorted((one, other) => one - other)).toEqual([2, 3, 4, 5, 6]);
      expect(given.engine.revision()).toBe(6);
      expect(tuples().toSorted()).toEqual(['1', '2', '3', 'after', 'before'].map((doc) => `doc:${doc}#viewer@user:u`));
      for (const id of ['1', '2', '3']) expect(noteOf(id)).toBe('x'.repeat(LARGE_BYTES));
      const last = revisions.indexOf(Math.max(...[1, 3, 4].map((n) => revisions[n] as number)));
      expect(noteOf('large')).toBe({ 1: '1', 3: '2', 4: '3' }[last]?.repeat(LARGE_BYTES));
    });

    it('refuses a large command as a small one: alone and wholly', async () => {
      const refused = submit([record('large', 'x'.repeat(LARGE_BYTES)), { op: 'create_store', store: 's' }]);
      await expect(refused).rejects.toMatchObject({ name: 'EngineError', code: 'store_exists' });
      expect(noteOf('large')).toBeUndefined();
      await submit([viewer('after')]);
      expect(tuples()).toEqual(['doc:after#viewer@user:u']);
    });

    it('has everything again when it is opened again, each command once, and goes on from there', async () => {
      await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          submit([{ op: 'append_record', store: 's', collection: 'journal', document: n }]),
        ),
      );
      const revision = given.engine.revision();
      given = await given.reopen();
      expect(given.engine.revision()).toBe(revision);
      const journal = () => given.engine.store('s').records.list('journal', { limit: 100 });
      expect(journal()).toHaveLength(30);
      expect(await submit([viewer('1')])).toMatchObject({ revision: revision + 1 });
      await given.log.barrier();
      expect(journal()).toHaveLength(30);
    });

    it('answers what is pending when it closes, and refuses what comes after', async () => {
      const pending = ['1', '2'].map((doc) => submit([viewer(doc)]));
      await given.log.close();
      expect(await Promise.all(pending)).toHaveLength(2);
      await expect(submit([viewer('3')])).rejects.toMatchObject({ name: 'EngineError', code: 'unavailable' });
      await expect(given.log.barrier()).rejects.toMatchObject({ name: 'EngineError', code: 'unavailable' });
    });
  });
}
