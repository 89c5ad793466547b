import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withEngine } from '../../src/cli/data-folder.ts';
import { runCli } from './run-cli.ts';
import { MODEL, scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();

const tuples = [
  { object: 'doc:1', relation: 'viewer', subject: 'user:anne' },
  { object: 'doc:a,b"c\'d', relation: 'viewer', subject: 'user:ä:é@*' },
  { object: 'doc:- yes: no', relation: 'parent', subject: 'doc:{"x"}' },
  { object: 'group:a', relation: 'member', subject: 'user:*' },
  { object: 'group:a', relation: 'member', subject: 'group:b#member' },
  { object: 'doc:2', relation: 'viewer', subject: 'user:1', expiresAt: 4_000_000_000_000 },
  {
    object: 'doc:3',
    relation: 'viewer',
    subject: 'user:1',
    condition: { name: 'recent', context: { age: 3 } },
  },
  {
    object: 'doc:3',
    relation: 'viewer',
    subject: 'user:2',
    condition: { name: 'recent' },
    expiresAt: 4_000_000_000_001,
  },
].map((tuple) => ({ ...tuple, object: tuple.object.replaceAll(' ', '_'), subject: tuple.subject }));

async function fill(data: string): Promise<void> {
  await withEngine(data, {}, async (engine) => {
    const store = await engine.createStore('s');
    await store.writeModel({ dsl: MODEL });
    await store.write({ writes: tuples });
    for (let i = 0; i < 25_000; i += 5000) {
      const writes = Array.from({ length: 5000 }, (_, k) => ({
        object: `doc:many-${i + k}`,
        relation: 'viewer',
        subject: 'user:1',
      }));
      await store.write({ writes });
    }
  });
}

async function lines(data: string): Promise<string[]> {
  const { out } = await runCli(['export', '--store', 's', '--data', data]);
  return out.split('\n').filter(Boolean).sort();
}

describe('relata export', () => {
  it.each(['a.ndjson', 'a.csv', 'a.fga.yaml'])('writes %s, which import reads back as the same set', async (name) => {
    const [first, second] = [scratch.path('first'), scratch.path('second')];
    await fill(first);
    const file = scratch.path(name);
    const written = await runCli(['export', '--store', 's', '--data', first, '-o', file]);
    expect(written).toMatchObject({ code: 0, out: expect.stringContaining('25,008 tuples exported') });
    const model = name.endsWith('.yaml') ? [] : ['--model', scratch.file('model.fga', MODEL)];
    const read = await runCli(['import', file, '--store', 's', '--data', second, ...model]);
    expect(read).toMatchObject({ code: 0, err: '', out: expect.stringContaining('25,008 new or changed') });
    expect(await lines(second)).toEqual(await lines(first));
    if (model.length > 0) return;
    await withEngine(second, {}, async (engine) => {
      expect(engine.store('s').model().source).toEqual({ dsl: expect.stringContaining('condition recent(age: int)') });
    });
  });

  it('writes what a JSON reader reads as tuples', async () => {
    const data = scratch.path('data');
    await fill(data);
    const read = (await lines(data)).map((line) => JSON.parse(line) as { object: string });
    expect(read.filter(({ object }) => !object.startsWith('doc:many'))).toEqual(
      expect.arrayContaining(tuples.map((tuple) => expect.objectContaining(tuple))),
    );
  });

  it('leaves nothing behind where the file cannot be written', async () => {
    const data = scratch.path('data');
    await fill(data);
    const file = scratch.path('absent/out.csv');
    const { code, err } = await runCli(['export', '--store', 's', '--data', data, '-o', file]);
    expect(code).toBe(2);
    expect(err).toContain('out.csv cannot be written');
  });

  it('does not replace a file by a part of one', async () => {
    const data = scratch.path('data');
    await fill(data);
    await withEngine(data, {}, async (engine) => {
      await engine.store('s').writeModel({ modules: [{ name: 'm.fga', contents: 'module m\ntype user\n' }] });
    });
    const file = scratch.file('out.fga.yaml', 'before');
    const { code, err } = await runCli(['export', '--store', 's', '--data', data, '-o', file]);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('a model of modules does not fit') });
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(scratch.path('.')).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('names the stores that there are', async () => {
    const data = scratch.path('data');
    await fill(data);
    const { code, err } = await runCli(['export', '--store', 'x', '--data', data]);
    expect({ code, err }).toEqual({ code: 2, err: 'relata: there is no store x; there are s\n' });
    expect(existsSync(scratch.path('x'))).toBe(false);
  });
});
