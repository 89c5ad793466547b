import { describe, expect, it } from 'vitest';
import type { PackedCommand } from '../../../../../engine/command/command.ts';
import type { EngineError } from '../../../../../engine/errors.ts';
import { WaitingBudget } from '../../../../../engine/log/stream/publish/waiting-budget.ts';
import { storeOf } from '../../../store/scratch-store.ts';
import { FaultyStream } from '../faulty-stream.ts';
import { nodesOfTests } from '../nodes-of-tests.ts';
import { append, command, journal, STORES } from '../stores-of-nodes.ts';

const MIB = 2 ** 20;

/** How many commands of so many bytes a stream gets in. */
function filled(budget: WaitingBudget, stream: number, bytes: number): number {
  let count = 0;
  while (budget.take(stream, bytes)) count++;
  return count;
}

describe('room for commands that wait', () => {
  it('is the same for all streams together, and each finds some', () => {
    const budget = new WaitingBudget(16);
    expect(filled(budget, 0, MIB)).toBe(64);
    expect(filled(budget, 1, MIB)).toBe(32);
    for (let stream = 2; stream < 16; stream++) expect(budget.take(stream, 1024)).toBe(true);
    for (let stream = 2; stream < 16; stream++) filled(budget, stream, 1024);
    const all = Array.from({ length: 16 }, (_, stream) => budget.bytesOf(stream));
    expect(all.reduce((sum, bytes) => sum + bytes)).toBeLessThan(128 * MIB);
    expect(Math.min(...all)).toBeGreaterThan(0);
  });

  it('admits a command of the largest size where little else waits', () => {
    const budget = new WaitingBudget(2);
    for (let n = 0; n < 100; n++) expect(budget.take(0, 1024)).toBe(true);
    expect(budget.take(0, 64 * MIB)).toBe(true);
    expect(budget.take(1, 64 * MIB)).toBe(false);
    budget.give(0, 64 * MIB);
    expect(budget.take(1, 63 * MIB)).toBe(true);
  });

  it('bounds small commands by their number', () => {
    const budget = new WaitingBudget(2);
    expect(filled(budget, 0, 1)).toBe(20_000);
    expect(filled(budget, 1, 1)).toBe(10_000);
    budget.give(0, 1);
    expect(filled(budget, 0, 1)).toBe(0);
    for (let n = 0; n < 10_000; n++) budget.give(1, 1);
    expect(filled(budget, 0, 1)).toBeGreaterThan(0);
  });
});

const all = nodesOfTests({ streams: 2, carriedBytesMin: 8192, waitingBytesMax: 4 * MIB });

describe('a node whose streams take no messages', () => {
  it('refuses what it has no room for, takes what is for another stream, and answers all that it took', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await all.follow(stream);
    for (const store of STORES) await node.log.submit(command(...storeOf(store)));
    await node.log.move('a', 0);
    await node.log.move('b', 1);
    stream.isReachable = false;
    stream.beside(1).isReachable = false;
    const text = 'x'.repeat(MIB / 64);
    const large = (store: string) => command(...Array.from({ length: 8 }, () => append(store, text)));
    const outcomes: Promise<string>[] = [];
    const submit = (each: PackedCommand): void => {
      const answer = node.log.submit(each);
      outcomes.push(
        answer.then(
          () => 'done',
          (error: EngineError) => `${error.code}: ${error.message}`,
        ),
      );
    };
    for (let n = 0; n < 40; n++) submit(large('a'));
    const taken = node.log.pending;
    expect(taken).toBeGreaterThan(10);
    const refused = await Promise.all(outcomes.slice(taken));
    expect(refused.length).toBeGreaterThan(10);
    expect(refused).toEqual(refused.map(() => 'unavailable: too many commands wait for the log: try again later'));
    for (let n = 0; n < 5; n++) submit(large('b'));
    submit(command(append('c', 'small')));
    expect(node.log.pending).toBe(taken + 6);
    stream.isReachable = true;
    stream.beside(1).isReachable = true;
    const answered = await Promise.all([...outcomes.slice(0, taken), ...outcomes.slice(40)]);
    expect(new Set(answered)).toEqual(new Set(['done']));
    expect(journal(node, 'a')).toHaveLength(taken * 8);
    expect(journal(node, 'b')).toHaveLength(5 * 8);
    expect(journal(node, 'c')).toEqual(['small']);
    submit(large('a'));
    expect(await outcomes.at(-1)).toBe('done');
  });
});
