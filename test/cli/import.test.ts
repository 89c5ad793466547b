import { describe, expect, it } from 'vitest';
import { withEngine } from '../../src/cli/data-folder.ts';
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
const conditional =
  '{"object":"doc:3","relation":"viewer","subject":"user:anne","condition":{"name":"recent","context":{"age":1}},"expiresAt":4000000000000}';
const all = [anne, beth, members, conditional, '{"object":"group:a","relation":"member","subject":"user:*"}'];

describe('relata import reads', () => {
  it.each<{ name: string; file: string; given: string }>([
    { name: 'NDJSON', file: 'a.ndjson', given: `${all.join('\n')}\n` },
    {
      name: 'NDJSON with a byte order mark, empty lines, comments and carriage returns',
      file: 'a.jsonl',
      given: `\uFEFF# tuples\r\n\r\n${all.join('\r\n')}`,
    },
    {
      name: 'text lines',
      file: 'a.txt',
      given: `doc:1#viewer@user:anne\ndoc:1#viewer@user:beth\n"doc:2#viewer@group:a#member"\n${conditional}\ngroup:a#member@user:*\n`,
    },
    {
      name: "OpenFGA's field names and its wrapped keys",
      file: 'a.ndjson',
      given: [
        '{"user":"user:anne","relation":"viewer","object":"doc:1"}',
        '{"key":{"user":"user:beth","relation":"viewer","object":"doc:1"},"timestamp":"2024-01-01T00:00:00Z"}',
        '{"user":"group:a#member","relation":"viewer","object":"doc:2","condition":null}',
        conditional.replace('4000000000000', '"2096-10-02T07:06:40Z"'),
        '{"user":"user:*","relation":"member","object":"group:a"}',
      ].join('\n'),
    },
    {
      name: "CSV with OpenFGA's columns",
      file: 'a.csv',
      given: `user_type,user_id,user_relation,relation,object_type,object_id,condition_name,condition_context,expires_at
user,anne,,viewer,doc,1,,,
user,beth,,viewer,doc,1,,,
group,a,member,viewer,doc,2,,,
user,anne,,viewer,doc,3,recent,"{""age"":
1}",4000000000000
user,*,,member,group,a,,,
`,
    },
    {
      name: 'CSV with whole names',
      file: 'a.csv',
      given: `object,relation,subject,condition_name,condition_context,expires_at\r
"doc:1",viewer,user:anne,,,\r
doc:1,viewer,user:beth,,,\r
# a comment\r
doc:2,viewer,group:a#member,,,\r
doc:3,viewer,user:anne,recent,"{""age"":1}",2096-10-02T07:06:40Z\r
group:a,member,user:*,,,`,
    },
  ])('$name', async ({ file, given }) => {
    const result = await importInto(scratch.file(file, given));
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/^model .* written\n5 tuples imported, 5 new or changed, in /);
    expect(await exported(scratch.path('data'))).toEqual(all.toSorted());
  });

  it('a store file with its model, and the files that it names', async () => {
    scratch.file('model.fga', MODEL);
    scratch.file('more.csv', 'object,relation,subject\ndoc:1,viewer,user:beth\n');
    scratch.file('more.json', JSON.stringify([JSON.parse(members)]));
    scratch.file('more.yaml', `- ${conditional}\n- group:a#member@user:*\n`);
    const file = scratch.file(
      'store.fga.yaml',
      `name: a store\nmodel_file: model.fga\ntuples:\n  - user: user:anne\n    relation: viewer\n    object: doc:1\ntuple_files: [more.csv, more.json, more.yaml]\n`,
    );
    const result = await runCli(['import', file, '--store', 's', '--data', scratch.path('data')]);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(await exported(scratch.path('data'))).toEqual(all.toSorted());
  });

  it('modules that an fga.mod file names', async () => {
    scratch.file('core.fga', 'module core\ntype user\n');
    scratch.file('docs.fga', 'module docs\ntype doc\n  relations\n    define viewer: [user]\n');
    const model = scratch.file('fga.mod', "schema: '1.2'\ncontents:\n  - core.fga\n  - docs.fga\n");
    const file = scratch.file('a.txt', 'doc:1#viewer@user:anne\n');
    const argv = ['import', file, '--store', 's', '--model', model, '--data', scratch.path('data')];
    expect(await runCli(argv)).toMatchObject({ code: 0, err: '' });
    expect(await exported(scratch.path('data'))).toEqual([anne]);
  });

  it('standard input', async () => {
    const model = scratch.file('model.fga', MODEL);
    const argv = ['import', '-', '--store', 's', '--model', model, '--data', scratch.path('data')];
    expect(await runCli(argv, { input: all.join('\n') })).toMatchObject({ code: 0 });
    expect(await exported(scratch.path('data'))).toEqual(all.toSorted());
  });

  it('into an organization, whose model stays merged with the system model', async () => {
    const data = scratch.path('data');
    const model = scratch.file('model.fga', MODEL);
    const file = scratch.file('a.txt', 'doc:1#viewer@user:anne\ngroup:a#member@user:anne\n');
    const argv = ['import', file, '--org', 'acme', '--model', model, '--data', data];
    expect(await runCli(argv)).toMatchObject({
      code: 2,
      err: 'relata: there is no organization acme (--create creates it)\n',
    });
    const created = await runCli([...argv, '--create']);
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toMatch(/^organization acme created; its administration key: rlt_\w+/);
    await withEngine(`${data}`, {}, async (engine) => {
      const store = engine.store('org:acme');
      expect([...store.model().model.types.keys()]).toEqual(expect.arrayContaining(['doc', 'role', 'permission']));
      expect(store.check({ object: 'doc:1', relation: 'viewer', subject: 'user:anne' }).outcome).toBe('allowed');
    });
  });
});
