import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../../engine/engine.ts';
import { prepareFolder } from '../../../../engine/store/folder/prepare-folder.ts';
import { damages } from '../../../server/damage/damages.ts';

let path: string;

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'relata-folder-')), 'store');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

const open = async (): Promise<Engine> => Engine.open({ path, nameBytes: 2 ** 20 });

async function fill(): Promise<void> {
  const engine = await open();
  await engine.createStore('s');
  await engine.close();
}

describe('the folder of a store', () => {
  it.each(damages)('is not opened where its data file is $name', async ({ to, expect: expected }) => {
    await fill();
    to(join(path, 'data.mdb'));
    await expect(open()).rejects.toMatchObject({ code: 'corrupt', message: expect.stringMatching(expected) });
  });

  it('is made where it is not there', async () => {
    prepareFolder(path);
    expect(readdirSync(path)).toEqual(['data.mdb']);
    await fill();
  });

  it('is not made again where there are other signs that it was used', () => {
    expect(() => prepareFolder(path, { isUsed: true })).toThrow(/is missing, although the folder was in use/);
    expect(existsSync(path)).toBe(false);
  });

  it('is begun again where a start ended before the data file was whole', () => {
    mkdirSync(join(path, 'making'), { recursive: true });
    for (const name of ['data.mdb', 'lock.mdb']) writeFileSync(join(path, 'making', name), '');
    prepareFolder(path);
    expect(readdirSync(path)).toEqual(['data.mdb']);
  });
});
