import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Engine } from '../../../../engine/engine.ts';
import { copyStore } from '../../../../engine/store/copy.ts';

let root: string;
let umask: number;

beforeEach(() => {
  // what a system gives to all, so that nothing is private by chance
  umask = process.umask(0);
  root = mkdtempSync(join(tmpdir(), 'relata-modes-'));
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true, force: true });
});

/** Of a folder and of the files in it. */
function modes(folder: string): Record<string, string> {
  const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  const files = readdirSync(folder).map((name) => [name, mode(join(folder, name))]);
  return { '.': mode(folder), ...Object.fromEntries(files) };
}

async function used(path: string): Promise<void> {
  const engine = await Engine.open({ path, nameBytes: 2 ** 20 });
  if (engine.storeNames().length === 0) await engine.createStore('s');
  await engine.close();
}

const PRIVATE = { '.': '700', 'data.mdb': '600', 'lock.mdb': '600', 'opening.lock': '600' };

it('a new store can be read by its owner alone', async () => {
  await used(join(root, 'store'));
  expect(modes(join(root, 'store'))).toEqual(PRIVATE);
});

it('a store that others could read is closed to them when it is opened', async () => {
  const path = join(root, 'store');
  await used(path);
  chmodSync(path, 0o755);
  for (const name of readdirSync(path)) chmodSync(join(path, name), 0o644);
  await used(path);
  expect(modes(path)).toEqual(PRIVATE);
});

it('a copy can be read by its owner alone, also in a folder that others can read', async () => {
  await used(join(root, 'store'));
  const open = join(root, 'open');
  mkdirSync(open, { mode: 0o755 });
  await copyStore(join(root, 'store'), open);
  expect(modes(open)).toEqual({ '.': '755', 'data.mdb': '600' });
  await copyStore(join(root, 'store'), join(root, 'new'));
  expect(modes(join(root, 'new'))).toEqual({ '.': '700', 'data.mdb': '600' });
});
