import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine, type LogIdentity } from '../../../../engine/index.ts';
import { copyStore } from '../../../../engine/store/copy.ts';
import { openTables } from '../../../../engine/store/environment.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'relata-identity-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Opens a folder, makes a store where one is named, and answers what log it is. */
async function visit(name: string, store?: string): Promise<{ readonly id: string; readonly since: number }> {
  const engine = await Engine.open({ path: join(root, name) });
  if (store !== undefined) await engine.createStore(store);
  const { id, since }: LogIdentity = engine.logIdentity;
  await engine.close();
  return { id: Buffer.from(id).toString('hex'), since };
}

describe('the identity of a log', () => {
  it('is made with the data, and stays when it is opened again', async () => {
    const first = await visit('a', 's');
    expect(first).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), since: 0 });
    expect(await visit('a', 't')).toEqual(first);
    expect((await visit('b')).id).not.toBe(first.id);
  });

  it('is another one in every copy that is put to use, from the revision of the copy on', async () => {
    const original = await visit('a', 's');
    await visit('a', 't');
    await copyStore(join(root, 'a'), join(root, 'copy'));
    expect(readdirSync(join(root, 'copy'))).toEqual(['data.mdb']);
    const uses = [];
    for (const name of ['one', 'two']) {
      await copyStore(join(root, 'copy'), join(root, name));
      uses.push(await visit(name));
    }
    expect(uses.map(({ since }) => since)).toEqual([2, 2]);
    expect(new Set([original, ...uses].map(({ id }) => id)).size).toBe(3);
    expect(await visit('a')).toEqual(original);
  });

  it('is also another one in a copy that an engine made while it wrote', async () => {
    const engine = await Engine.open({ path: join(root, 'a') });
    await engine.createStore('s');
    await engine.backup(join(root, 'copy'));
    await engine.createStore('t');
    await engine.close();
    expect(await visit('copy')).toMatchObject({ since: 1 });
    expect((await visit('copy')).id).not.toBe((await visit('a')).id);
  });

  it('is made at the revision that data of an earlier version has reached', async () => {
    await visit('a', 's');
    const tables = openTables({ path: join(root, 'a') });
    tables.meta.removeSync(Buffer.from('log-identity'));
    await tables.root.close();
    expect(await visit('a', 't')).toMatchObject({ since: 1 });
    expect(await visit('a')).toMatchObject({ since: 1 });
  });
});
