import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderCircles, importViolations, moduleCircles, roomCircles } from './import-rules.ts';
import { readTree, repositoryRoot } from './source-tree.ts';

const source = /\.tsx?$/;

const refused = [
  { name: 'the engine reaches the service', path: 'engine/store/a.ts', imports: '../../src/http/b.ts' },
  { name: 'the engine enters by its front door', path: 'engine/store/a.ts', imports: '#engine' },
  { name: 'the service goes round the front door', path: 'src/users/a.ts', imports: '../../engine/tuple.ts' },
  { name: 'main goes round the front door', path: 'src/main.ts', imports: '../engine/index.ts' },
  { name: 'the service reads a test', path: 'src/users/a.ts', imports: '../../test/a.ts' },
  { name: 'a feature opens another one', path: 'src/directory/users/a.ts', imports: '../roles/role-record.ts' },
  { name: 'a feature opens an inner index', path: 'src/directory/users/a.ts', imports: '../roles/inner/index.ts' },
  { name: 'a module opens one of another room', path: 'src/identity/mfa/a.ts', imports: '../../directory/users/b.ts' },
  { name: 'a feature knows main', path: 'src/users/a.ts', imports: '../main.ts' },
  { name: 'http knows a feature', path: 'src/http/a.ts', imports: '../users/index.ts' },
  { name: 'platform knows a feature', path: 'src/platform/a.ts', imports: '../users/index.ts' },
  { name: 'platform knows http', path: 'src/platform/a.ts', imports: '../http/index.ts' },
  { name: 'lmdb outside the store', path: 'engine/log/a.ts', imports: 'lmdb' },
  { name: 'lmdb in the service', path: 'src/users/a.ts', imports: 'lmdb' },
  { name: 'the transport outside http', path: 'src/users/a.ts', imports: 'uWebSockets.js' },
  { name: 'the model parser elsewhere', path: 'engine/evaluate/a.ts', imports: '@openfga/syntax-transformer' },
  { name: 'regular expressions elsewhere', path: 'engine/evaluate/a.ts', imports: 're2js' },
];

const admitted = [
  { name: 'the engine imports itself', path: 'engine/store/a.ts', imports: '../tuple.ts' },
  { name: 'the store imports lmdb', path: 'engine/store/a.ts', imports: 'lmdb' },
  { name: 'http imports the transport', path: 'src/http/uws/a.ts', imports: 'uWebSockets.js' },
  { name: 'http imports platform', path: 'src/http/a.ts', imports: '../platform/clock.ts' },
  { name: 'platform imports the engine', path: 'src/platform/a.ts', imports: '#engine' },
  { name: 'a feature imports http', path: 'src/users/a.ts', imports: '../http/endpoint.ts' },
  { name: 'a module imports a module by its index', path: 'src/directory/users/a.ts', imports: '../roles/index.ts' },
  {
    name: 'a module imports one of another room',
    path: 'src/identity/mfa/a.ts',
    imports: '../../directory/users/index.ts',
  },
  { name: 'a feature imports its own folder', path: 'src/users/scim/a.ts', imports: '../user-record.ts' },
  { name: 'main imports a feature', path: 'src/main.ts', imports: './users/index.ts' },
  { name: 'main imports what stands beside it', path: 'src/main.ts', imports: './serve.ts' },
];

describe('import directions', () => {
  it('hold in the whole tree', () => {
    const files = readTree(repositoryRoot, ['engine', 'src'], source);
    expect(files.length).toBeGreaterThan(0);
    expect(importViolations(files)).toEqual([]);
  });

  it('form no circle of rooms, nor of the modules in them', () => {
    const files = readTree(repositoryRoot, ['src'], source);
    expect(roomCircles(files)).toEqual([]);
    expect(moduleCircles(files)).toEqual([]);
  });

  it('form no circle of folders in the engine', () => {
    expect(folderCircles(readTree(repositoryRoot, ['engine'], source))).toEqual([]);
  });

  it('are broken where folders of the engine know each other, at any depth', () => {
    const imports = (path: string, specifier: string) => ({ path, text: `import type { A } from '${specifier}';\n` });
    const tree = [
      imports('engine/a/one.ts', '../b/two.ts'),
      imports('engine/a/inner/three.ts', '../other/four.ts'),
      imports('engine/a/other/four.ts', '../one.ts'),
    ];
    expect(folderCircles(tree)).toEqual([]);
    expect(folderCircles([...tree, imports('engine/b/two.ts', '../a/one.ts')])).toEqual([
      'engine/a -> engine/b -> engine/a',
    ]);
    expect(folderCircles([...tree, imports('engine/a/other/five.ts', '../inner/three.ts')])).toEqual([
      'engine/a/inner -> engine/a/other -> engine/a/inner',
    ]);
  });

  it('are broken where rooms know each other through a third one', () => {
    const imports = (path: string, specifier: string) => ({ path, text: `import type { A } from '${specifier}';\n` });
    const way = [
      imports('src/users/a.ts', '../roles/index.ts'),
      imports('src/roles/inner/a.ts', '../../groups/index.ts'),
      imports('src/groups/a.ts', '../http/index.ts'),
    ];
    expect(roomCircles(way)).toEqual([]);
    expect(roomCircles([...way, imports('src/groups/b.ts', '../users/index.ts')])).toEqual([
      'users -> roles -> groups -> users',
    ]);
  });

  describe('in a planted tree', () => {
    let root: string;
    beforeEach(() => {
      root = mkdtempSync(join(tmpdir(), 'relata-imports-'));
    });
    afterEach(() => rmSync(root, { recursive: true, force: true }));

    const plant = (path: string, specifier: string): string[] => {
      for (const folder of ['engine', 'src']) mkdirSync(join(root, folder), { recursive: true });
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `/** Planted. */\nimport type { A } from '${specifier}';\n`);
      return importViolations(readTree(root, ['engine', 'src'], source));
    };

    it.each(refused)('are broken where $name', ({ path, imports }) => {
      const found = plant(path, imports);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^${path}:2: .`));
    });

    it.each(admitted)('hold where $name', ({ path, imports }) => {
      expect(plant(path, imports)).toEqual([]);
    });
  });
});
