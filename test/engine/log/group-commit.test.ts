import { describe, expect, it } from 'vitest';
import type { CommitResult, PackedCommand } from '../../../engine/command/command.ts';
import type { Outcome } from '../../../engine/errors.ts';
import { GroupCommit } from '../../../engine/log/group-commit.ts';
import { LocalLog } from '../../../engine/log/local-log.ts';

/** Whether and how long a batch waits, after batches of so many commands that took so long to flush. */
function waitAfter(commands: number, batches: readonly (readonly [commands: number, ms: number])[]): number {
  let slept = 0;
  const groups = new GroupCommit((ms) => {
    slept += ms;
  });
  for (const [count, ms] of batches) groups.flushed(count, ms);
  expect(groups.wait(commands)).toBe(slept > 0);
  return slept;
}

const alone = Array.from({ length: 16 }, () => [1, 1.5] as const);

describe('a small batch', () => {
  it.each([
    { after: 'nothing', waits: 0, batches: [] },
    { after: 'whoever writes alone', waits: 0, batches: alone },
    { after: 'several that wrote at once', waits: 1.5, batches: [[3, 1.5]] },
    { after: 'the same, and a few alone', waits: 1.5, batches: [[3, 9], ...alone.slice(1)] },
    { after: 'the same, and many alone', waits: 0, batches: [[3, 9], ...alone] },
    { after: 'a slow flush', waits: 2, batches: [[3, 80]] },
  ] as const)('waits $waits ms after $after', ({ batches, waits }) => {
    expect(waitAfter(1, batches)).toBe(waits);
  });

  it('does not wait where it shares its flush already', () => {
    expect(waitAfter(7, [[3, 1]])).toBe(1);
    expect(waitAfter(8, [[3, 1]])).toBe(0);
  });
});

it('what comes while a batch waits is flushed with it, and a barrier waits for both', async () => {
  const { port1, port2 } = new MessageChannel();
  const batches: string[][] = [];
  const apply = (commands: readonly PackedCommand[]): Outcome<CommitResult>[] => {
    batches.push(commands.map(({ id }) => id));
    return commands.map(() => ({ ok: true, value: { revision: batches.length, tuplesChanged: 0 } }));
  };
  const log = new LocalLog({ apply }, new GroupCommit(() => port1.postMessage('late')));
  const submit = (id: string): Promise<CommitResult> => log.submit({ id, time: 0, changes: [] });
  const late = new Promise<CommitResult>((resolve) => {
    port2.onmessage = ({ data }: MessageEvent<string>) => resolve(submit(data));
  });
  try {
    await Promise.all([submit('a'), submit('b')]);
    const first = submit('c');
    const passed = log.barrier().then(() => batches.length);
    expect(await first).toEqual(await late);
    expect(await passed).toBe(2);
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'late'],
    ]);
  } finally {
    port1.close();
  }
});
