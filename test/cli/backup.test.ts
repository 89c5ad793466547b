import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Engine, lockFolder } from '../../engine/index.ts';
import { enginePath, withEngine } from '../../src/cli/data-folder.ts';
import { runCli } from './run-cli.ts';
import { MODEL, scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();

async function fill(data: string, users: number): Promise<void> {
  await withEngine(data, {}, async (engine) => {
    const store = engine.storeNames().includes('s') ? engine.store('s') : await engine.createStore('s');
    await store.writeModel({ dsl: MODEL });
    const writes = Array.from({ length: users }, (_, i) => ({
      object: 'doc:1',
      relation: 'viewer',
      subject: `user:${i}`,
    }));
    await store.write({ writes });
  });
}

function tuplesOf(data: string): Promise<number> {
  return withEngine(data, {}, async (engine) => engine.store('s').stats().tuples);
}

describe('relata backup and restore', () => {
  it('bring the stores back as they were', async () => {
    const [data, other, copy] = [scratch.path('data'), scratch.path('other'), scratch.path('copy')];
    await fill(data, 100);
    expect(await runCli(['backup', copy, '--data', data])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^100 tuples of 1 store at revision 3 backed up, [\d,]+ bytes\n$/),
    });
    expect(readdirSync(copy)).toEqual(['data.mdb']);
    await fill(data, 200);
    const restored = await runCli(['restore', copy, '--data', other]);
    expect(restored).toEqual({ code: 0, err: '', out: '100 tuples of 1 store restored at revision 3\n' });
    expect([await tuplesOf(data), await tuplesOf(other)]).toEqual([200, 100]);
  });

  it('replace data only by force, and keep it', async () => {
    const [data, copy] = [scratch.path('data'), scratch.path('copy')];
    await fill(data, 100);
    await runCli(['backup', copy, '--data', data]);
    await fill(data, 200);
    const refused = await runCli(['restore', copy, '--data', data]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('already contains data') });
    expect(await tuplesOf(data)).toBe(200);
    const forced = await runCli(['restore', copy, '--data', data, '--force']);
    expect(forced).toMatchObject({ code: 0, out: expect.stringContaining('; the old data is in ') });
    expect(await tuplesOf(data)).toBe(100);
    const kept = readdirSync(data).find((name) => name.startsWith('store.replaced-')) ?? '';
    expect(await runCli(['verify', `${data}/${kept}`])).toMatchObject({
      code: 0,
      out: expect.stringContaining('200 tuples'),
    });
    expect(existsSync(`${data}/store.restoring`)).toBe(false);
  });

  it.each<{ name: string; given: (copy: string) => void; expect: RegExp }>([
    { name: 'a folder that is not there', given: () => {}, expect: /copy.* (holds no data|does not exist)/ },
    { name: 'a file that is no data', given: (copy) => writeFileSync(copy, 'x'), expect: /copy/ },
  ])('cannot restore $name', async ({ given, expect: expected }) => {
    const copy = scratch.path('copy');
    given(copy);
    const { code, err } = await runCli(['restore', copy, '--data', scratch.path('data')]);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
    expect(existsSync(enginePath(scratch.path('data')))).toBe(false);
  });

  it('cannot back up into a folder with something in it, or from one with nothing', async () => {
    const data = scratch.path('data');
    const empty = await runCli(['backup', scratch.path('copy'), '--data', data]);
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining('holds no data') });
    await fill(data, 1);
    scratch.file('note', '');
    const full = await runCli(['backup', scratch.path('.'), '--data', data]);
    expect(full).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') });
  });

  it('do not restore under a running server', async () => {
    const [data, copy] = [scratch.path('data'), scratch.path('copy')];
    await fill(data, 1);
    await runCli(['backup', copy, '--data', data]);
    const lock = lockFolder(data);
    const { code } = await runCli(['restore', copy, '--data', data, '--force']);
    lock.release();
    expect(code).toBe(3);
    expect(await tuplesOf(data)).toBe(1);
  });
});

describe('relata backup beside a writer', () => {
  const writer = fileURLToPath(new URL('./write-pairs.ts', import.meta.url));
  let stop = (): void => {};
  afterEach(() => stop());

  it('copies one revision while commits go on in another process', async () => {
    const data = scratch.path('data');
    await fill(data, 1);
    const child = spawn(process.execPath, ['--import', 'tsx', writer, enginePath(data)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop = () => child.kill('SIGKILL');
    let revision = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      revision = Number(chunk.toString().trim().split('\n').at(-1));
    });
    await once(child.stdout, 'data');
    let before = 0;
    for (let round = 0; round < 3; round++) {
      const known = revision;
      const copy = scratch.path(`copy-${round}`);
      expect(await runCli(['backup', copy, '--data', data])).toMatchObject({ code: 0, err: '' });
      const engine = await Engine.open({ path: copy });
      const store = engine.store('s');
      const count = (object: string) => store.readTuples({ object, limit: 10_000 }).tuples.length;
      expect(engine.revision()).toBeGreaterThanOrEqual(Math.max(known, before));
      // a commit is there wholly or not at all
      expect(count('doc:left')).toBe(count('doc:right'));
      before = engine.revision();
      await engine.close();
    }
    expect(before).toBeGreaterThan(3);
    expect(child.exitCode).toBe(null);
  }, 180_000);
});

describe('relata verify', () => {
  it('looks through the data folder', async () => {
    const data = scratch.path('data');
    await fill(data, 10);
    expect(await runCli(['verify'], { environment: { RELATA_DATA_DIR: data } })).toEqual({
      code: 0,
      err: '',
      out: '1 store, 10 tuples, 1 record, 3 commits kept, revision 3: 0 problems\n',
    });
  });

  it('refuses a file that was cut short', async () => {
    const data = scratch.path('data');
    await fill(data, 10);
    truncateSync(`${enginePath(data)}/data.mdb`, 4096);
    const { code, err } = await runCli(['verify', '--data', data]);
    expect(code).not.toBe(0);
    expect(err).toMatch(/^relata: /);
  });
});
