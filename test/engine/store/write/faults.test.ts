import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import type { Fault } from '../../../../engine/fault.ts';
import { QUALIFIED, scanned } from '../../../../engine/store/edge-key.ts';
import { openTables } from '../../../../engine/store/environment.ts';
import { zeroPages } from '../../../server/damage/zero-pages.ts';
import { ScratchStore, TIME } from '../scratch-store.ts';

const write = (object: string): Change => ({
  op: 'write_tuples',
  store: 's',
  tuples: [{ object: `doc:${object}`, relation: 'viewer', subject: 'user:u' }],
});
/** What no caller can send: the writer itself fails over it. */
const bug = { op: 'write_tuples', store: 's', tuples: undefined } as unknown as Change;

let scratch: ScratchStore;
let faults: Fault[];

beforeEach(async () => {
  faults = [];
  scratch = await ScratchStore.openModelled({}, (fault) => faults.push(fault));
});

afterEach(() => scratch.close());

describe('an error at the writer that is none of the engine’s own', () => {
  it('is the service’s failure and not the caller’s mistake, and its neighbours go on', async () => {
    expect(scratch.batch([write('a')], [write('half'), bug], [write('b')])).toMatchObject([
      { ok: true, value: { revision: 2 } },
      { ok: false, code: 'internal' },
      { ok: true, value: { revision: 3 } },
    ]);
    expect(scratch.tuples()).toEqual(['doc:a#viewer@user:u', 'doc:b#viewer@user:u']);
    expect(await scratch.verify()).toMatchObject({ problems: [] });
  });

  it('is told with its cause when it ends a batch, and when it ends its command', () => {
    scratch.batch([write('a')], [bug]);
    expect(faults).toMatchObject([
      { reach: 'command', commands: 2, name: 'TypeError', stack: expect.stringContaining('apply.') },
      { reach: 'command', commands: 1, name: 'TypeError', stack: expect.stringContaining('apply.') },
    ]);
  });

  it('is not told where the engine refuses a command', () => {
    scratch.batch([write('a')], [{ op: 'create_store', store: 's' }]);
    expect(faults).toEqual([]);
  });

  it('ends all writing where it says that the store cannot be trusted', () => {
    zeroPages(join(scratch.path, 'data.mdb'));
    const refusal = { code: 'corrupt', message: expect.stringMatching(/cannot be trusted: .*"relata verify"/) };
    const first = thrownBy(() => scratch.batch([write('a')]));
    expect(first).toMatchObject(refusal);
    expect(faults).toMatchObject([{ reach: 'store', commands: 1, code: expect.any(Number) }]);
    expect(thrownBy(() => scratch.batch([write('b')]))).toBe(first);
    expect(faults).toHaveLength(1);
  });
});

describe('an expired tuple that cannot be read', () => {
  const expired = (object: string): Change => ({
    op: 'write_tuples',
    store: 's',
    tuples: [{ object: `doc:${object}`, relation: 'viewer', subject: 'user:u', expiresAt: TIME - 1 }],
  });

  it('keeps the sweep from no other one, is told once, and is found by verify', async () => {
    scratch.apply([expired('damaged'), expired('b'), expired('c')]);
    await damageQualifier();
    const sweep: Change = { op: 'sweep_expired', limit: 10 };
    expect(scratch.apply([sweep]).tuplesChanged).toBe(2);
    expect(scratch.apply([sweep]).tuplesChanged).toBe(0);
    expect(faults).toMatchObject([
      { reach: 'command', message: expect.stringMatching(/expired tuple .* cannot be read/) },
    ]);
    expect((await scratch.verify()).problems.join('\n')).toMatch(/cannot be read/);
  });

  /** Of the first tuple with one: a map of five entries of which none is there. */
  async function damageQualifier(): Promise<void> {
    const { forward, root } = openTables({ path: scratch.path });
    for (const _ of forward.getKeys({ start: { store: 1, node: 0, kinds: 0, other: 0, size: 4 } })) {
      const key = { ...scanned, size: 16 };
      if ((key.kinds & QUALIFIED) === 0) continue;
      forward.putSync(key, Buffer.from([0x85]));
      break;
    }
    await root.close();
  }
});

function thrownBy(task: () => unknown): unknown {
  try {
    task();
  } catch (error) {
    return error;
  }
  return undefined;
}
