import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lockFolder } from '../../engine/index.ts';
import { runCli } from './run-cli.ts';
import { MODEL, scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();

/** The tuples of a store as `relata export` writes them, sorted. */
async function exported(data: string, store = 's'): Promise<string[]> {
  const { out } = await runCli(['export', '--store', store, '--data', data]);
  return out.split('\n').filter(Boolean).sort();
}

function importInto(file: string, ...more: string[]) {
  const model = scratch.file('model.fga', MODEL);
  return runCli(['import', file, '--store', 's', '--model', model, '--data', scratch.path('data'), ...more]);
}

const anne = '{"object":"doc:1","relation":"viewer","subject":"user:anne"}';
const beth = '{"object":"doc:1","relation":"viewer","subject":"user:beth"}';
const members = '{"object":"doc:2","relation":"viewer","subject":"group:a#member"}';
describe('relata import refuses', () => {
  it.each<{ name: string; file: string; given: string; expect: string }>([
    {
      name: 'a type that is not there',
      file: 'a.txt',
      given: 'bot:1#viewer@user:anne',
      expect: ':1: the model has no type bot',
    },
    {
      name: 'a relation that is not there',
      file: 'a.txt',
      given: `\ndoc:1#owner@user:anne`,
      expect: ':2: the model has no doc#owner',
    },
    {
      name: 'a subject that the relation does not accept',
      file: 'a.txt',
      given: 'doc:1#viewer@user:*',
      expect: ':1: doc#viewer does not accept user:*',
    },
    {
      name: 'an unknown condition',
      file: 'a.ndjson',
      given: anne.replace('}', ',"condition":{"name":"late"}}'),
      expect: ':1: the model has no condition late',
    },
    { name: 'broken JSON', file: 'a.ndjson', given: `${anne}\n{"object"`, expect: ':2: is not JSON: ' },
    {
      name: 'other fields',
      file: 'a.ndjson',
      given: anne.replace('}', ',"note":1}'),
      expect: ':1: Unrecognized key: "note"',
    },
    {
      name: 'text of another form',
      file: 'a.txt',
      given: 'doc:1 viewer anne',
      expect: ':1: is not of the form object#relation@subject',
    },
    {
      name: 'a white space in an id',
      file: 'a.ndjson',
      given: anne.replace('anne', 'an ne'),
      expect: ':1: subject has an id with white space',
    },
    {
      name: 'a row that is too short',
      file: 'a.csv',
      given: 'object,relation,subject\ndoc:1,viewer\n',
      expect: ':2: has 2 fields, and the header 3',
    },
    {
      name: 'an open quote',
      file: 'a.csv',
      given: 'object,relation,subject\n"doc:1,viewer,user:1\n',
      expect: ':2: has a quote that is never closed',
    },
    {
      name: 'a relation with an at sign, which would read as another tuple',
      file: 'a.csv',
      given: 'object,relation,subject\ndoc:1,viewer@user:x,user:2\n',
      expect: ':2: the model has no doc#viewer@user:x',
    },
    {
      name: 'a whole number whose digits would be lost, in a column',
      file: 'a.csv',
      given:
        'object,relation,subject,condition_name,condition_context\ndoc:1,viewer,user:1,recent,"{""n"":9007199254740993}"\n',
      expect: ':2: condition_context.n: has more digits than a JSON number can keep',
    },
    {
      name: 'and in a line of JSON',
      file: 'a.ndjson',
      given:
        '{"object":"doc:1","relation":"viewer","subject":"user:1","condition":{"name":"recent","context":{"n":[9007199254740993]}}}',
      expect: ':1: condition.context.n[0]: has more digits than a JSON number can keep',
    },
    {
      name: 'a context that is no object',
      file: 'a.csv',
      given: 'object,relation,subject,condition_name,condition_context\ndoc:1,viewer,user:1,recent,7\n',
      expect: ':2: condition_context: must be a JSON object',
    },
  ])('$name', async ({ file, given, expect: expected }) => {
    const path = scratch.file(file, given);
    const { err, code } = await importInto(path);
    expect(code).toBe(2);
    expect(err).toContain(`${path}${expected}`);
    expect(err).toContain('relata: 1 line refused; nothing was imported (--skip-invalid leaves them out)');
    expect(await exported(scratch.path('data'))).toEqual([]);
  });

  it('bytes that are not UTF-8', async () => {
    const path = scratch.file('a.ndjson', Buffer.from(anne.replace('anne', '\u00e4'), 'latin1'));
    expect((await importInto(path)).err).toContain(`${path}:1: is not UTF-8`);
  });

  it.each<{ name: string; argv: (file: string) => string[]; expect: string }>([
    { name: 'no target', argv: (file) => ['import', file], expect: 'use either --org NAME or --store NAME' },
    {
      name: 'an absent file',
      argv: () => ['import', 'absent.csv', '--store', 's'],
      expect: 'absent.csv does not exist: check the path (ENOENT)',
    },
    {
      name: 'an absent store',
      argv: (file) => ['import', file, '--store', 's'],
      expect: 'there is no store s; there are none',
    },
    {
      name: 'a name without format',
      argv: () => ['import', '/dev/null', '--store', 's'],
      expect: '/dev/null is not a file',
    },
    {
      name: 'to continue standard input',
      argv: () => ['import', '-', '--store', 's', '--resume'],
      expect: '--resume needs a file',
    },
    {
      name: 'a batch of nothing',
      argv: (file) => ['import', file, '--store', 's', '--batch', '0'],
      expect: 'must be a whole number from 1',
    },
    { name: 'an unknown option', argv: (file) => ['import', file, '--stor', 's'], expect: "unknown option '--stor'" },
  ])('$name', async ({ argv, expect: expected }) => {
    const file = scratch.file('a.ndjson', anne);
    const { err, code } = await runCli([...argv(file), '--data', scratch.path('data')]);
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });

  it('a header that makes no tuples', async () => {
    const { err, code } = await importInto(scratch.file('a.csv', 'object,subject\ndoc:1,user:1\n'));
    expect({ err, code }).toMatchObject({ code: 2, err: expect.stringContaining('the header must name object') });
  });

  it('a model with an issue, naming its place', async () => {
    const model = scratch.file('bad.fga', 'model\n  schema 1.1\ntype doc\n  relations\n    define viewer: [nobody]\n');
    const file = scratch.file('a.txt', 'doc:1#viewer@user:anne');
    const { err, code } = await runCli([
      'import',
      file,
      '--store',
      's',
      '--model',
      model,
      '--data',
      scratch.path('data'),
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(/bad\.fga:5:\d+: /);
  });

  it('a data folder that is in use', async () => {
    const lock = lockFolder(scratch.path('data'));
    const { err, code } = await importInto(scratch.file('a.txt', 'doc:1#viewer@user:anne'));
    lock.release();
    expect(code).toBe(3);
    expect(err).toContain(`is used by process ${process.pid}`);
    expect(existsSync(scratch.path('data/store'))).toBe(false);
  });
});

describe('relata import with refused lines', () => {
  const mixed = `${anne}\ndoc:1#owner@user:x\n${beth}\nnonsense\n`;

  it('shows a bounded number of them', async () => {
    const path = scratch.file('a.txt', 'nonsense\n'.repeat(50));
    const { err } = await importInto(path, '--errors', '3');
    expect(err.split('\n').filter((line) => line.startsWith(path))).toHaveLength(3);
    expect(err).toContain('3 or more lines refused');
  });

  it('leaves them out and writes them to a file that can be imported once corrected', async () => {
    const refused = scratch.path('refused.txt');
    const { out, err, code } = await importInto(scratch.file('a.txt', mixed), '--skip-invalid', refused);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toContain('2 tuples imported, 2 new or changed');
    expect(out).toContain(`2 refused, in ${refused}`);
    expect(err).toContain('a.txt:2: the model has no doc#owner');
    expect(readFileSync(refused, 'utf8')).toMatch(
      /^# .*a\.txt:2: .*\ndoc:1#owner@user:x\n# .*a\.txt:4: .*\nnonsense\n$/,
    );
    const corrected = readFileSync(refused, 'utf8').replaceAll('owner', 'viewer').replace('nonsense', members);
    const second = await importInto(scratch.file('b.txt', corrected));
    expect(second.out).toContain('model 0');
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(await exported(scratch.path('data'))).toHaveLength(4);
  });

  it('keeps the header of a CSV file', async () => {
    const refused = scratch.path('refused.csv');
    const file = scratch.file('a.csv', 'object,relation,subject\ndoc:1,owner,user:1\ndoc:1,viewer,user:1\n');
    await importInto(file, '--skip-invalid', refused);
    expect(readFileSync(refused, 'utf8')).toMatch(/^object,relation,subject\n# .*\ndoc:1,owner,user:1\n$/);
  });
});
