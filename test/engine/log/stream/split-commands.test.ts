import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCommand } from '../../../../engine/command/encoding/command-codec.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { type CommandPart, partsOf, SPLIT_BYTES_MAX } from '../../../../engine/log/stream/parts/command-part.ts';
import { PartsDraft } from '../../../../engine/log/stream/parts/partial-commands.ts';
import { encodeMessage, encodePartMessage } from '../../../../engine/log/stream/stream-message.ts';
import { seed } from '../../../generated/seed.ts';
import { storeOf, TIME } from '../../store/scratch-store.ts';
import { type Fate, FaultyStream, SharedMessages } from './faulty-stream.ts';
import { StreamNode } from './node.ts';
import { append, journal, submit } from './nodes-of-a-stream.ts';
import { nodesOfTests } from './nodes-of-tests.ts';

const MINUTE_MS = 60_000;

const all = nodesOfTests();
const { follow } = all;

/** A text of its own that no message has room for. */
function large(name: string): string {
  return name.padEnd(450_000, '.');
}

/** A command in parts, as a node sends them that has made no other message. */
function partsFrom(document: unknown, producer = randomBytes(16)) {
  const command = encodeCommand(packCommand({ id: 'split', time: TIME, changes: [append(document)] }));
  const parts = partsOf(command, 150_000);
  const applied = { sequence: 0, state: Buffer.alloc(16) };
  const send = (part: CommandPart, number: number): void =>
    all.shared.append(encodePartMessage({ log: all.shared.log, producer, number, applied }, part));
  const sendOther = (number: number): void =>
    all.shared.append(encodeMessage({ log: all.shared.log, producer, number, applied }, []));
  return { parts: parts as [CommandPart, CommandPart, CommandPart, CommandPart], send, sendOther };
}

function keptParts(node: StreamNode): number {
  const key = Buffer.from('stream-part/').toString('hex');
  return node.rows().filter((row) => row.startsWith(`meta ${key}`)).length;
}

async function equalNodes(...all: readonly StreamNode[]): Promise<void> {
  const [first, ...others] = all as [StreamNode, ...StreamNode[]];
  await first.log.barrier();
  for (const node of others) {
    await expect.poll(() => node.log.status().sequence).toBe(first.log.status().sequence);
    expect(node.log.status().state).toBe(first.log.status().state);
    expect(node.rows()).toEqual(first.rows());
  }
  expect(all.flatMap(({ stops }) => stops)).toEqual([]);
}

describe('a command that is larger than a message', () => {
  it('is applied once and in order on every node, also where messages are lost, come twice, or are not acknowledged', async () => {
    const fates = fc.array(fc.constantFrom<Fate>('kept', 'unacknowledged', 'lost', 'doubled'), { maxLength: 16 });
    const sizes = fc.array(fc.boolean(), { minLength: 2, maxLength: 6 });
    const given = fc.tuple(fates, fates, sizes, sizes, fc.nat({ max: 6 }));
    await fc.assert(
      fc.asyncProperty(given, async ([one, other, ours, theirs, interruptions]) => {
        const messages = new SharedMessages();
        const streams = [new FaultyStream(messages), new FaultyStream(messages)];
        const pair = await Promise.all(streams.map((stream) => StreamNode.open(stream)));
        try {
          await submit(pair[0] as StreamNode, storeOf('s'));
          for (const [i, list] of [one, other].entries()) {
            const left = [...list];
            (streams[i] as FaultyStream).fate = () => left.shift() ?? 'kept';
          }
          const asked = [ours, theirs].map((list, i) =>
            list.map((isLarge, n) => (isLarge ? large(`${i}-${n}`) : `${i}-${n}`)),
          );
          const answers = pair.flatMap((node, i) => (asked[i] ?? []).map((text) => submit(node, [append(text)])));
          for (let n = 0; n < interruptions; n++) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            messages.interrupt();
          }
          await Promise.all(answers);
          await equalNodes(...pair);
          for (const [i, list] of asked.entries()) {
            // what one node submits stands in the order of its submission
            expect(journal(pair[1] as StreamNode).filter((text) => String(text).startsWith(`${i}-`))).toEqual(list);
          }
          expect(pair.map(keptParts)).toEqual([0, 0]);
        } finally {
          for (const node of pair) await node.remove();
        }
      }),
      { seed, numRuns: 15, endOnFailure: true },
    );
  });

  it('is never applied in half; the half outlives a restart, and is completed by its last part alone', async () => {
    const node = await follow();
    await submit(node, storeOf('s'));
    const text = large('split');
    const { parts, send } = partsFrom(text);
    send(parts[0], 1);
    send(parts[1], 2);
    await node.log.barrier();
    expect([journal(node), keptParts(node)]).toEqual([[], 2]);
    // one that has its data from here on
    const copy = mkdtempSync(join(tmpdir(), 'relata-split-'));
    rmSync(copy, { recursive: true });
    await node.opened.backup(copy, { isOfSameLog: true });
    await node.close();
    all.nodes.pop();
    const again = await follow(new FaultyStream(all.shared), { path: node.path });
    expect([journal(again), keptParts(again)]).toEqual([[], 2]);
    send(parts[2], 3);
    send(parts[2], 3);
    send(parts[3], 4);
    send(parts[3], 4);
    await again.log.barrier();
    expect([journal(again), keptParts(again)]).toEqual([[text], 0]);
    // those that apply all parts at once come to the same
    const [late, copied] = [await follow(), await follow(new FaultyStream(all.shared), { path: copy })];
    expect(journal(copied)).toEqual([text]);
    await equalNodes(again, late, copied);
  });

  it.each([
    { name: 'of a part that is missing', sends: [0, 1, 3] },
    { name: 'of its first part', sends: [1, 2, 3] },
    { name: 'of the order of its parts', sends: [0, 2, 1, 3] },
    { name: 'of another message between them', sends: [0, 1, 'other', 2, 3] },
    { name: 'of a number that is missing', sends: [0, 1, 'none', 2, 3] },
  ])('is passed over because $name, on every node alike, and nothing of it is kept', async ({ sends }) => {
    const [node, other] = [await follow(), await follow()];
    await submit(node, storeOf('s'));
    const { parts, send, sendOther } = partsFrom(large('never'));
    for (const [i, each] of sends.entries()) {
      if (each === 'other') sendOther(i + 1);
      else if (each !== 'none') send(parts[Number(each)] as CommandPart, i + 1);
    }
    await submit(node, [append('after')]);
    await equalNodes(node, other, await follow());
    expect([journal(other), keptParts(other)]).toEqual([['after'], 0]);
  });

  it('is forgotten ten minutes after its last part came, by the clock of the stream', async () => {
    const node = await follow();
    await submit(node, storeOf('s'));
    const [lost, slow] = [partsFrom(large('lost')), partsFrom(large('slow'))];
    lost.send(lost.parts[0], 1);
    slow.send(slow.parts[0], 1);
    all.shared.time += 9 * MINUTE_MS;
    slow.send(slow.parts[1], 2);
    await node.log.barrier();
    expect(keptParts(node)).toBe(3);
    all.shared.time += 2 * MINUTE_MS;
    await node.log.barrier();
    expect(keptParts(node)).toBe(2);
    for (const [i, part] of lost.parts.entries()) if (i > 0) lost.send(part, i + 1);
    for (const [i, part] of slow.parts.entries()) if (i > 1) slow.send(part, i + 1);
    await node.log.barrier();
    expect([journal(node), keptParts(node)]).toEqual([[large('slow')], 0]);
    await equalNodes(node, await follow());
  });

  it('is answered "try again" by its node when its parts were forgotten, and the next one is applied', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await follow(stream);
    await submit(node, storeOf('s'));
    let sent = 0;
    stream.fate = () => {
      if (++sent === 2) all.shared.time += 11 * MINUTE_MS;
      return 'kept';
    };
    await expect(submit(node, [append(large('late'))])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/did not take the command: try again/),
    });
    await submit(node, [append(large('next'))]);
    expect([journal(node), keptParts(node), node.log.pending]).toEqual([[large('next')], 0, 0]);
  });

  it('is given up where the log does not answer in the middle of it, and the log goes on with the next one', async () => {
    const stream = new FaultyStream(all.shared);
    const node = await follow(stream, { waitMs: 500 });
    await submit(node, storeOf('s'));
    let sent = 0;
    stream.fate = () => (sent++ < 2 ? 'kept' : 'lost');
    await expect(submit(node, [append(large('cut off'))])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/may still be applied/),
    });
    stream.fate = () => 'kept';
    await expect.poll(() => node.log.status().isWritable).toBe(true);
    await submit(node, [append('after')]);
    expect([journal(node), keptParts(node), node.log.pending]).toEqual([['after'], 0, 0]);
  });

  it('is sent only while all nodes read parts: refused where one does not, and to be tried again before that is known', async () => {
    const [one, other] = [await follow(), await follow(new FaultyStream(all.shared), { isAgreed: false })];
    await submit(one, storeOf('s'));
    await expect(submit(other, [append(large('early'))])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/it is not known yet whether all nodes read them: try again/),
    });
    const refused = { code: 'too_large', message: expect.stringMatching(/no node of an older version is left/) };
    for (const node of [one, other]) {
      node.log.agreeOn(1);
      await expect(submit(node, [append(large('refused'))])).rejects.toMatchObject(refused);
      await submit(node, [append('small')]);
      node.log.agreeOn(2);
      await submit(node, [append(large('sent'))]);
    }
    await one.log.barrier();
    expect(journal(one)).toEqual(['small', large('sent'), 'small', large('sent')]);
  });

  it('is refused at once where it is larger than any, which the error tells', async () => {
    const node = await follow();
    await submit(node, storeOf('s'));
    await expect(submit(node, [append('x'.repeat(SPLIT_BYTES_MAX))])).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/too large for the log of a cluster, which takes 67108864/),
      details: { max: SPLIT_BYTES_MAX },
    });
    expect(node.log.pending).toBe(0);
  });
});

it('of commands that are not whole, 256 MiB are kept, and the one that waits longest is forgotten first', () => {
  const draft = new PartsDraft(new Map());
  const bytes = Buffer.alloc(60 * 2 ** 20);
  const names = ['aa', 'bb', 'cc', 'dd'];
  for (const [i, name] of names.entries()) {
    expect(draft.add(name, { number: 1, time: 100 - i }, { of: bytes.length + 1, at: 0, bytes })).toBe('more');
  }
  expect([...draft.partial.keys()]).toEqual(names);
  draft.add('ee', { number: 1, time: 200 }, { of: bytes.length + 1, at: 0, bytes });
  expect([...draft.partial.keys()]).toEqual(['aa', 'bb', 'cc', 'ee']);
  const last = { of: bytes.length + 1, at: bytes.length, bytes: Buffer.of(1) };
  expect(draft.add('dd', { number: 2, time: 201 }, last)).toBe('incomplete');
  expect(draft.add('cc', { number: 2, time: 202 }, last)).toHaveLength(bytes.length + 1);
});
