import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/index.ts';
import { copyStore } from '../../../engine/store/copy.ts';
import { verifyStore } from '../../../engine/store/verify/verify.ts';

let root: string;
let engine: Engine;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'relata-copy-'));
  engine = await Engine.open({ path: join(root, 'data') });
  const store = await engine.createStore('s');
  await store.writeModel({ dsl: 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]\n' });
  const writes = Array.from({ length: 2000 }, (_, i) => ({
    object: 'doc:1',
    relation: 'viewer',
    subject: `user:${i}`,
  }));
  await store.write({ writes });
});

afterEach(async () => {
  await engine.close();
  rmSync(root, { recursive: true, force: true });
});

describe('a copy of a store', () => {
  it.each<{ name: string; given: (folder: string) => Promise<unknown> }>([
    { name: 'made by the engine', given: (folder) => engine.backup(folder) },
    { name: 'made beside it', given: (folder) => copyStore(join(root, 'data'), folder) },
  ])('$name opens as what it was', async ({ given }) => {
    const folder = join(root, 'a', 'folder.copy');
    await given(folder);
    expect(await verifyStore(folder)).toMatchObject({ revision: 3, tuples: 2000, problems: [] });
    const copy = await Engine.open({ path: folder });
    const { outcome } = copy.store('s').check({ object: 'doc:1', relation: 'viewer', subject: 'user:1999' });
    await copy.close();
    expect(outcome).toBe('allowed');
  });

  it('does not replace another', async () => {
    const folder = join(root, 'copy');
    await engine.backup(folder);
    await expect(engine.backup(folder)).rejects.toThrow(/exists/i);
  });

  it.each([4096, 8192, 40_000])('that was cut to %d bytes is refused', async (bytes) => {
    const folder = join(root, 'copy');
    await engine.backup(folder);
    const file = join(folder, 'data.mdb');
    expect(statSync(file).size).toBeGreaterThan(40_000 + 17 * 4096);
    truncateSync(file, bytes);
    await expect(verifyStore(folder)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/cut short/),
    });
  });

  it('of nothing is refused', async () => {
    await expect(copyStore(root, join(root, 'copy'))).rejects.toMatchObject({ code: 'corrupt' });
  });
});
