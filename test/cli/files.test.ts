import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();

interface Case {
  readonly name: string;
  readonly argv: (at: (name: string) => string) => readonly string[];
  /** What the message names. */
  readonly file: string;
  /** What the reader can do about it. */
  readonly wayOut: string;
}

const missing = 'does not exist: check the path';

describe('an error of a file names the file and the way out', () => {
  it.each<Case>([
    { name: 'an import', argv: (at) => ['import', at('none'), '--org', 'o'], file: 'none', wayOut: missing },
    { name: 'a test of models', argv: (at) => ['model', 'test', at('none')], file: 'none', wayOut: missing },
    { name: 'a model', argv: (at) => ['model', 'validate', at('none')], file: 'none', wayOut: missing },
    { name: 'data to verify', argv: (at) => ['verify', at('none')], file: 'none/data.mdb', wayOut: missing },
    {
      name: 'a backup that is none',
      argv: (at) => ['restore', at('folder'), '--data', at('restored')],
      file: 'folder/data.mdb',
      wayOut: missing,
    },
    {
      name: 'a file in the place of a folder',
      argv: (at) => ['verify', at('file')],
      file: 'file/data.mdb',
      wayOut: 'is inside a file, not a folder: check the path',
    },
    {
      name: 'a folder that has something in it',
      argv: (at) => ['backup', at('folder')],
      file: 'folder',
      wayOut: 'a backup needs an empty or new folder',
    },
  ])('$name', async ({ argv, file, wayOut }) => {
    scratch.file('file', 'x');
    mkdirSync(scratch.path('folder'));
    scratch.file(join('folder', 'x'), 'x');
    const environment = { RELATA_DATA_DIR: scratch.path('data') };
    const { code, err } = await runCli(argv(scratch.path), { environment });
    expect([code, err]).toEqual([2, expect.stringContaining(`${scratch.path(file)} `)]);
    expect(err).toContain(wayOut);
  });
});
