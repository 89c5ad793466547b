import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../engine/store/folder/make-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relata-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a folder is made', () => {
  it('with those above it, for its owner alone', () => {
    makeFolder(join(folder, 'a', 'b'));
    const modes = ['a', 'a/b'].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700]);
  });

  it('not again where it is there, also behind a link', () => {
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    for (const path of [folder, link, '/', `${folder}/`]) expect(() => makeFolder(path)).not.toThrow();
  });

  it('not where a file stands, nor below one', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/);
    expect(() => makeFolder(join(folder, 'file', 'x'))).toThrow(/ENOTDIR/);
  });

  it('not behind a link that leads nowhere', () => {
    symlinkSync(join(folder, 'none'), join(folder, 'link'));
    expect(() => makeFolder(join(folder, 'link'))).toThrow(/EEXIST/);
  });

  it.skipIf(process.platform !== 'linux')('not where the system has none, and the error says so at once', () => {
    expect(() => makeFolder('/proc/relata/data')).toThrow(/ENOENT/);
  });
});
