import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Engine, type EngineError, verifyApart } from '../../engine/index.ts';
import { openTables } from '../../engine/store/environment.ts';
import { pack } from '../../engine/store/layout.ts';
import { damages, put, sizeOf } from '../server/damage/damages.ts';
import { PAGE_BYTES } from '../server/damage/zero-pages.ts';
import { BUILT_VERIFIER, runCli } from './run-cli.ts';
import { MODEL } from './scratch-folder.ts';

vi.setConfig({ testTimeout: 120_000 });

const TUPLES = 3000;

let sound: string;
let folder: string;
let file: string;

beforeAll(async () => {
  sound = mkdtempSync(join(tmpdir(), 'relata-sound-'));
  const engine = await Engine.open({ path: sound, nameBytes: 2 ** 20 });
  const store = await engine.createStore('s');
  await store.writeModel({ dsl: MODEL });
  const writes = Array.from({ length: TUPLES }, (_, i) => ({
    object: `doc:${i}`,
    relation: 'viewer',
    subject: `user:${i}`,
  }));
  await store.write({ writes });
  await engine.close();
});
afterAll(() => rmSync(sound, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relata-verify-'));
  file = join(folder, 'data.mdb');
  cpSync(sound, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const verify = () => runCli(['verify', folder]);

describe('relata verify', () => {
  it.each(damages)('refuses data that is $name', async ({ to, expect: expected }) => {
    to(file);
    expect(await verify()).toMatchObject({ code: 2, out: '', err: expect.stringMatching(expected) });
  });

  it('refuses data of a version that it does not know', async () => {
    const tables = openTables({ path: folder });
    tables.meta.putSync(Buffer.from('format'), pack(99));
    await tables.root.close();
    expect(await verify()).toMatchObject({ code: 2, err: expect.stringContaining('the data has format 99') });
  });

  it('survives zeroed pages, and names the table and how much of it can be read', async () => {
    for (const page of pagesOf('doc:1500')) put(file, Buffer.alloc(PAGE_BYTES), page);
    const { code, out, err } = await verify();
    expect({ code, err }).toEqual({ code: 1, err: '' });
    for (const table of ['names', 'nodes']) {
      expect(out).toMatch(
        new RegExp(`^the store's pages are damaged: .*table ${table}: .*\\d+ of 6000 rows can be read`, 'm'),
      );
    }
    expect(out).toMatch(/^1 store, 3,000 tuples, 1 record, 3 commits kept, revision 3: 2 problems$/m);
    expect(out).toMatch(/^records were not checked against their schemas, because the pages are damaged$/m);
  });

  it('blames no other table for the damage of one', async () => {
    const pages = sizeOf(file) / PAGE_BYTES;
    const found: string[] = [];
    for (let page = 2; page < pages; page += Math.ceil(pages / 24)) {
      writeFileSync(file, readFileSync(join(sound, 'data.mdb')));
      put(file, Buffer.alloc(PAGE_BYTES), page * PAGE_BYTES);
      const report = await verifyApart(folder, { entry: BUILT_VERIFIER }).catch(() => undefined);
      found.push(...(report?.problems ?? []));
    }
    expect(found).not.toEqual([]);
    expect(found.filter((problem) => /MDB_BAD_TXN/.test(problem))).toEqual([]);
  });

  it('survives pages of random bytes, wherever they are', async () => {
    const bytes = Buffer.from(Array.from({ length: PAGE_BYTES }, (_, i) => (i * 167 + 13) % 256));
    const step = Math.ceil(sizeOf(file) / PAGE_BYTES / 6);
    const found: unknown[] = [];
    for (let page = 2; page * PAGE_BYTES < sizeOf(file); page += step) {
      writeFileSync(file, readFileSync(join(sound, 'data.mdb')));
      put(file, bytes, page * PAGE_BYTES);
      const options = { entry: BUILT_VERIFIER, silentMaxMs: 15_000 };
      found.push(await verifyApart(folder, options).catch((error: EngineError) => error.code));
    }
    // with a page that was free nothing is lost; where the tables begin is looked at first
    expect(found).toEqual(found.map(() => expect.toSatisfy((each) => each === 'corrupt' || each.problemCount >= 0)));
    expect(found).toContainEqual(expect.objectContaining({ problemCount: expect.toSatisfy((count) => count > 0) }));
  });
});

/** Where a page says where its rows begin; what stands before them is left over from other pages. */
const ROWS_AT = 22;

/** Where the pages begin that have a text in a row. */
function pagesOf(text: string): number[] {
  const bytes = readFileSync(file);
  const found = new Set<number>();
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    const place = at % PAGE_BYTES;
    const page = at - place;
    if (place >= bytes.readUInt16LE(page + ROWS_AT)) found.add(page);
  }
  return [...found];
}
