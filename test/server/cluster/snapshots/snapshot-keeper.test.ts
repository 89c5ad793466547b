import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine, type NodeFormats, type OpenedSnapshots, OWN_FORMATS, type Snapshot } from '#engine';
import { platformStore } from '../../../../src/kernel/organizations/index.ts';
import type { Log } from '../../../../src/platform/index.ts';
import { agreedFormats, knownAfter } from '../../../../src/server/cluster/snapshots/known-nodes.ts';
import { logRecordId, logRecords } from '../../../../src/server/cluster/snapshots/log-record.ts';
import { SnapshotKeeper } from '../../../../src/server/cluster/snapshots/snapshot-keeper.ts';
import { MemorySnapshots } from '../../../engine/log/stream/snapshots/memory-snapshots.ts';

const silent = { info() {}, warn() {}, error() {} } as unknown as Log;

let folder: string;
let engine: Engine;
let snapshots: MemorySnapshots;
let sequence: number;
let time: number;
let elapsed: number;
let nodes: { name: string; sequence: number; formats?: NodeFormats }[];
let cuts: number[];
let taken: number;
let keepers: SnapshotKeeper[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relata-keeper-'));
  engine = await Engine.open({ path: join(folder, 'store') });
  await engine.openStore(platformStore);
  snapshots = new MemorySnapshots();
  [nodes, cuts] = [[], []];
  [sequence, time, elapsed, taken, keepers] = [0, 1_000_000, 0, 0, []];
});
afterEach(async () => {
  for (const each of keepers) await each.stop();
  await engine.close();
  rmSync(folder, { recursive: true });
});

const ownLog = () => Buffer.from(engine.logIdentity.id).toString('hex');

async function put(at: number, log = ownLog()): Promise<Snapshot> {
  const facts = { log, sequence: at, state: '0'.repeat(64), format: 4, time };
  return snapshots.put(facts, one(Buffer.from(`at ${at}`)), new AbortController().signal);
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

function keeper(more: Partial<OpenedSnapshots> = {}): SnapshotKeeper {
  const opened: OpenedSnapshots = {
    store: snapshots,
    take: () => {
      taken++;
      return put(sequence);
    },
    nodes: async () => nodes.map((each) => ({ formats: undefined, ...each })),
    cut: async (log, at) => {
      expect(log).toBe(ownLog());
      cuts.push(at);
    },
    close: async () => {},
    ...more,
  };
  const made = new SnapshotKeeper({
    open: async () => opened,
    engine,
    clock: { now: () => time },
    log: silent,
    schedule: { messages: 100, everyMs: 60_000, absentMs: 600_000 },
    elapsed: () => elapsed,
    sequence: () => sequence,
    path: join(folder, 'store'),
    drafts: join(folder, 'drafts'),
    copy: async () => {},
  });
  keepers.push(made);
  return made;
}

const sequences = async () => (await snapshots.list()).map((each) => each.sequence);
const noted = () => logRecords.get(engine.store(platformStore), logRecordId)?.document.snapshot;

describe('the log', () => {
  /** Snapshots after each hundred, up to there. */
  const keepUpTo = async (last: number, one = keeper()): Promise<void> => {
    for (sequence = 100; sequence < last; sequence += 100) await one.turn();
    await one.turn();
  };

  it('is cut behind the older of two snapshots, and not by one', async () => {
    const one = keeper();
    await keepUpTo(100, one);
    expect(cuts).toEqual([]);
    await keepUpTo(300, one);
    expect(cuts).toEqual([100, 200]);
  });

  it('keeps what a node that runs, or was seen a while ago, has not applied; also for the next one that keeps it', async () => {
    nodes = [
      { name: 'fast:1', sequence: 1000, formats: OWN_FORMATS },
      { name: 'slow:1', sequence: 50, formats: OWN_FORMATS },
    ];
    await keepUpTo(300);
    expect(cuts.at(-1)).toBe(50);
    nodes = [{ name: 'fast:1', sequence: 1000, formats: OWN_FORMATS }];
    time += 599_000;
    sequence = 400;
    const next = keeper();
    await next.turn();
    expect(cuts.at(-1)).toBe(50);
    time += 1000;
    elapsed += 60_000;
    await next.turn();
    expect(cuts.at(-1)).toBe(300);
  });

  it('is not cut by a node that has lost the lease', async () => {
    const platform = engine.store(platformStore);
    const fenced = keeper({
      nodes: () => Promise.reject(Object.assign(new Error('fenced'), { code: 'fenced' })),
    });
    sequence = 300;
    await put(100);
    await put(250);
    await expect(fenced.turn()).rejects.toThrow('fenced');
    expect([cuts, logRecords.get(platform, logRecordId)]).toEqual([[], undefined]);
  });
});

describe('formats', () => {
  const formats = (log: number, store = OWN_FORMATS.store): NodeFormats => ({ log, store });
  const known = () => logRecords.get(engine.store(platformStore), logRecordId)?.document.nodes ?? [];

  it('are known of each node before there is a snapshot, and for as long as one that is away may come back', async () => {
    nodes = [
      { name: 'new:1', sequence: 5, formats: formats(2) },
      { name: 'newer:1', sequence: 5, formats: formats(9) },
      { name: 'old:1', sequence: 5 },
    ];
    await keeper().turn();
    expect([agreedFormats(known()).log, noted()]).toEqual([1, undefined]);
    nodes = nodes.slice(0, 2);
    time += 599_999;
    const next = keeper();
    await next.turn();
    expect(agreedFormats(known()).log).toBe(1);
    time += 1;
    await next.turn();
    expect(agreedFormats(known()).log).toBe(1);
    elapsed += 60_000;
    await next.turn();
    expect(agreedFormats(known())).toEqual({ log: 2, store: OWN_FORMATS.store });
    nodes = [{ name: 'new:1', sequence: 5 }];
    elapsed += 60_000;
    await next.turn();
    expect(agreedFormats(known()).log).toBe(1);
  });

  it('of two nodes of one name are what both read', () => {
    const at = { now: 1000, absentMs: 100 };
    const two = [formats(3, 5), formats(2, 6)].map((each) => ({ name: 'a:1', sequence: 1, formats: each }));
    expect(knownAfter([], two, at)).toEqual([{ name: 'a:1', sequence: 1, formats: formats(2, 5), seen: 1000 }]);
  });

  it('of the store keep back a snapshot while a node is there that could not start from it', async () => {
    nodes = [
      { name: 'new:1', sequence: 100, formats: formats(2) },
      { name: 'old:1', sequence: 100, formats: formats(2, OWN_FORMATS.store - 1) },
    ];
    sequence = 100;
    const one = keeper();
    await one.turn();
    await one.turn();
    expect(await sequences()).toEqual([]);
    nodes = [nodes[0], { name: 'old:1', sequence: 100, formats: formats(2) }] as typeof nodes;
    elapsed += 60_000;
    await one.turn();
    expect(await sequences()).toEqual([100]);
  });
});

describe('nodes of one name', () => {
  it('are as far as the one that is behind; a clock that was set back forgets nobody for ever', () => {
    const at = { now: 1000, absentMs: 100 };
    const same = [5, 3, 9].map((sequence) => ({ name: 'a:1', sequence }));
    expect(knownAfter([], same, at)).toMatchObject([{ name: 'a:1', sequence: 3, seen: 1000 }]);
    expect(knownAfter([{ name: 'a:1', sequence: 1, seen: 990 }], same, at)[0]?.sequence).toBe(3);
    expect(knownAfter([{ name: 'b:1', sequence: 1, seen: 2000 }], [], at)).toEqual([]);
  });
});

describe('snapshots of the log', () => {
  it('are made after so many messages or so long, the last two are kept, and every node is told of the last', async () => {
    const one = keeper();
    for (const [at, expected] of [
      [50, []],
      [100, [100]],
      [150, [100]],
      [200, [200, 100]],
      [310, [310, 200]],
    ] as const) {
      sequence = at;
      await one.turn();
      expect(await sequences()).toEqual(expected);
    }
    expect(noted()).toMatchObject({ sequence: 310, time });
    sequence = 311;
    time += 60_000;
    await one.turn();
    expect(await sequences()).toEqual([311, 310]);
    expect([taken, noted()?.sequence]).toEqual([4, 311]);
  });

  it('are not made in a row: four times as long as one took, none is begun', async () => {
    const one = keeper({
      take: () => {
        elapsed += 1000;
        return put(sequence);
      },
    });
    for (const [at, passed, expected] of [
      [100, 0, [100]],
      [300, 3999, [100]],
      [300, 1, [300, 100]],
    ] as const) {
      sequence = at;
      elapsed += passed;
      await one.turn();
      expect(await sequences()).toEqual(expected);
    }
  });

  it('of another log go when this one has its own, and what an upload left', async () => {
    await put(900, 'ab'.repeat(8));
    snapshots.remains = 3;
    const one = keeper();
    await one.turn();
    expect(await sequences()).toEqual([900]);
    sequence = 100;
    await one.turn();
    expect([await sequences(), snapshots.remains]).toEqual([[100], 0]);
  });

  it('that could not be made are tried again, by a new connection', async () => {
    let closed = 0;
    const failing = keeper({
      take: () => Promise.reject(new Error('no answer')),
      close: async () => void closed++,
    });
    sequence = 100;
    await expect(failing.turn()).rejects.toThrow('no answer');
    await expect(failing.turn()).rejects.toThrow('no answer');
    expect([closed, await sequences()]).toEqual([2, []]);
  });

  it('that cannot be made are told to every node with why, until one is made', async () => {
    let reason: string | undefined = 'a snapshot needs up to 9 bytes beside the data, and 1 are free';
    const full = keeper({
      take: () => (reason === undefined ? put(sequence) : Promise.reject(new Error(reason))),
    });
    const problem = () => logRecords.get(engine.store(platformStore), logRecordId)?.document.problem;
    await put(50);
    sequence = 200;
    await expect(full.turn()).rejects.toThrow(reason);
    expect([problem(), noted()?.sequence]).toEqual([reason, 50]);
    await expect(full.turn()).rejects.toThrow(reason);
    reason = undefined;
    await full.turn();
    expect([problem(), noted()?.sequence]).toEqual([undefined, 200]);
  });

  it('are not made by a node that has lost the lease: what was begun ends without an error', async () => {
    let begun: () => void = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = keeper({
      take: ({ signal }) => {
        begun();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    sequence = 100;
    const turn = slow.turn();
    await hasBegun;
    await slow.stop();
    await turn;
    await slow.turn();
    expect([await sequences(), noted()]).toEqual([[], undefined]);
  });
});
