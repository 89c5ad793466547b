import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Organization, Service } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';
import { FailingProxy, type Failure } from './failing-proxy.ts';
import { BUILT_MAIN, runCli } from './run-cli.ts';
import { MODEL, scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();
let service: Service;
let count = 0;
beforeAll(async () => {
  service = await sharedService();
});

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const newOrganization = () => service.organization(`import-${++count}`);

/** Into the organization, with its model before. */
function importInto(org: Organization, file: string, more: readonly string[] = [], url = service.url) {
  const model = scratch.file('model.fga', MODEL);
  const argv = ['import', file, '--url', url, '--org', org.slug, '--model', model, ...more];
  return runCli(argv, { environment: { RELATA_KEY: org.key } });
}

async function proxied(...failures: readonly (Failure | undefined)[]): Promise<FailingProxy> {
  const proxy = await FailingProxy.start(service.url, failures);
  ends.push(() => proxy.close());
  return proxy;
}

/** The tuples of `doc`, as the service has them. */
async function stored(org: Organization): Promise<unknown[]> {
  const tuples: unknown[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await org.call('GET', `/zanzibar/tuples?object=doc:&limit=1000${after}`);
    tuples.push(...page.list('tuples'));
    cursor = page.at('cursor') as string | undefined;
  }
  return tuples;
}

const anne = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };
const members = { object: 'doc:2', relation: 'viewer', subject: 'group:core#member' };
const conditional = {
  object: 'doc:3',
  relation: 'viewer',
  subject: 'user:anne',
  condition: { name: 'recent', context: { age: 1 } },
  expiresAt: '2096-10-02T07:06:40.000Z',
};
const all = [anne, members, conditional];
const lines = (tuples: readonly unknown[]) => tuples.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Tuples in the shortest form of a line. */
const viewers = (n: number) => Array.from({ length: n }, (_, at) => `doc:${at}#viewer@user:anne\n`).join('');

describe('relata import into a service reads', () => {
  it.each<{ name: string; file: string; given: string }>([
    { name: 'NDJSON', file: 'a.ndjson', given: lines(all) },
    {
      name: 'text lines',
      file: 'a.txt',
      given: `doc:1#viewer@user:anne\ndoc:2#viewer@group:core#member\n${lines([conditional])}`,
    },
    {
      name: "CSV with OpenFGA's columns",
      file: 'a.csv',
      given: `user_type,user_id,user_relation,relation,object_type,object_id,condition_name,condition_context,expires_at
user,anne,,viewer,doc,1,,,
group,core,member,viewer,doc,2,,,
user,anne,,viewer,doc,3,recent,"{""age"":1}",4000000000000
`,
    },
  ])('$name', async ({ file, given }) => {
    const org = await newOrganization();
    const result = await importInto(org, scratch.file(file, given));
    expect(result).toMatchObject({ code: 0, err: expect.stringContaining('model.fga:4:') });
    expect(result.out).toMatch(/^model [\w-]+ written\n3 tuples imported in .*, revision \S+\n$/);
    expect(await stored(org)).toEqual(all);
    // and a group that they name has a record, without a step before
    expect((await org.call('GET', '/admin/groups')).list('data')).toMatchObject([{ name: 'core' }]);
  });

  it('a store file with its model, and the files that it names', async () => {
    const org = await newOrganization();
    scratch.file('own.fga', MODEL);
    scratch.file('more.csv', 'object,relation,subject\ndoc:2,viewer,group:core#member\n');
    scratch.file('more.json', JSON.stringify([conditional]));
    const file = scratch.file(
      'store.fga.yaml',
      'model_file: own.fga\ntuples:\n  - user: user:anne\n    relation: viewer\n    object: doc:1\ntuple_files: [more.csv, more.json]\n',
    );
    const argv = ['import', file, '--url', service.url, '--org', org.slug, '--key', org.key];
    expect(await runCli(argv)).toMatchObject({ code: 0 });
    expect(await stored(org)).toEqual(all);
  });

  it('standard input', async () => {
    const org = await newOrganization();
    scratch.file('model.fga', MODEL);
    const argv = ['import', '-', '--url', `${service.url}/`, '--org', org.slug, '--model', scratch.path('model.fga')];
    const result = await runCli(argv, { input: lines(all), environment: { RELATA_KEY: org.key } });
    expect(result).toMatchObject({ code: 0 });
    expect(await stored(org)).toEqual(all);
  });
});

describe('relata import into a service', () => {
  it('can be repeated: the model and the tuples that are there stay as they are', async () => {
    const org = await newOrganization();
    const file = scratch.file('a.ndjson', lines(all));
    await importInto(org, file);
    const before = await stored(org);
    const second = await importInto(org, file);
    expect(second).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^model [\w-]+ is unchanged\n3 tuples/),
    });
    expect(await stored(org)).toEqual(before);
    expect((await org.call('GET', '/zanzibar/models')).list('data')).toHaveLength(2);
  });

  it('writes batch by batch, and as many at once as the service takes', async () => {
    const org = await newOrganization();
    const proxy = await proxied();
    const result = await importInto(org, scratch.file('a.txt', viewers(2500)), ['--batch', '2400'], proxy.url);
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining('2,500 tuples imported') });
    const sizes = proxy.bodies.flatMap((body) =>
      body.startsWith('{"writes"') ? [JSON.parse(body).writes.length] : [],
    );
    // the service takes 1,000
    expect(sizes.filter((size) => size > 1000)).toEqual([2400, 1200]);
    expect(sizes.filter((size) => size <= 1000)).toEqual([600, 600, 600, 600, 100]);
    expect(await stored(org)).toHaveLength(2500);
  });

  it('goes on after a lost connection, a limit and a restart', async () => {
    const org = await newOrganization();
    const passing: Failure[] = [{ status: 503 }, { status: 429, retryAfter: '0' }, 'lost', { status: 502 }];
    // list, model and the first batch come through
    const proxy = await proxied(undefined, undefined, undefined, undefined, ...passing);
    const result = await importInto(org, scratch.file('a.txt', viewers(300)), ['--batch', '100'], proxy.url);
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining('300 tuples imported') });
    expect(result.err.match(/trying again in/g)).toHaveLength(4);
    expect(await stored(org)).toHaveLength(300);
  });

  it('does not show its key to other users of the machine', async () => {
    const proxy = await proxied('held');
    const file = scratch.file('a.txt', viewers(1));
    const argv = [
      BUILT_MAIN,
      'import',
      file,
      '--url',
      proxy.url,
      '--org',
      'o',
      '--model',
      scratch.file('m.fga', MODEL),
    ];
    const child = spawn(process.execPath, [...argv, '--key', 'rlt_admin_seen'], { stdio: 'ignore' });
    ends.push(() => child.kill('SIGKILL'));
    const shown = () => readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
    expect(shown()).toContain('import');
    await vi.waitFor(() => expect(shown()).toMatch(/^relata\0*$/), { timeout: 60_000 });
  });
});

describe('relata import into a service refuses', () => {
  it.each<{ name: string; given: string; place: string; reason: RegExp; before: string }>([
    {
      name: 'a relation that is not there',
      given: `${viewers(3)}doc:1#owner@user:anne\n`,
      place: 'a.txt:4',
      reason: /the model has no doc#owner/,
      before: 'nothing was imported',
    },
    {
      name: 'a subject that the relation does not accept, after a whole batch',
      given: `${viewers(10)}# a comment\n\ndoc:1#viewer@user:*\n`,
      place: 'a.txt:13',
      reason: /does not accept user:\*/,
      before: '10 tuples before it were imported',
    },
    {
      name: 'a line that is no tuple',
      given: 'doc:1 viewer anne\n',
      place: 'a.txt:1',
      reason: /is not of the form object#relation@subject/,
      before: 'nothing was imported',
    },
  ])('$name', async ({ given, place, reason, before }) => {
    const org = await newOrganization();
    const file = scratch.file('a.txt', given);
    const { code, err } = await importInto(org, file, ['--batch', '10']);
    expect(code).toBe(2);
    const shown = err.split('\n').find((line) => line.startsWith(scratch.path(place)));
    expect(shown).toMatch(reason);
    expect(err).toMatch(new RegExp(`^relata: 1 (?:line|or more lines) refused; ${before} \\(--skip-invalid`, 'm'));
  });

  it('what the key may not write, and names the line', async () => {
    const org = await newOrganization();
    await importInto(org, scratch.file('a.txt', ''));
    const { key } = await org.newKey({ permissions: ['tuples.write'] });
    const file = scratch.file('a.txt', `${viewers(5)}group:new#member@user:anne\n${viewers(5)}`);
    for (const more of [[], ['--skip-invalid', scratch.path('refused.txt')]]) {
      const argv = ['import', file, '--url', service.url, '--org', org.slug, '--key', key, ...more];
      const { code, err } = await runCli(argv);
      expect({ code, err }).toMatchObject({
        code: 2,
        err: expect.stringMatching(/a\.txt:6: \S+ answered 403: .*groups/),
      });
      expect(err).toContain('5 tuples imported until then');
    }
  });

  it('lines that it leaves out where it may, and keeps them', async () => {
    const org = await newOrganization();
    const refused = scratch.path('refused.txt');
    const given = `doc:1#viewer@user:anne\nbot:1#viewer@user:anne\nnonsense\ndoc:1#viewer@user:*\ndoc:9#viewer@user:anne\n`;
    const result = await importInto(org, scratch.file('a.txt', given), ['--skip-invalid', refused]);
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/2 tuples imported[\s\S]*3 refused, in /) });
    expect(readFileSync(refused, 'utf8')).toMatch(
      /^# .*a\.txt:3: .*\nnonsense\n# .*a\.txt:2: .*\nbot:1#viewer@user:anne\n# .*a\.txt:4: .*\ndoc:1#viewer@user:\*\n$/,
    );
    expect(await stored(org)).toHaveLength(2);
  });

  it('a model with an issue, naming its place', async () => {
    const org = await newOrganization();
    const model = scratch.file('bad.fga', 'model\n  schema 1.1\ntype doc\n  relations\n    define viewer: [nobody]\n');
    const argv = ['import', scratch.file('a.txt', viewers(1)), '--url', service.url, '--org', org.slug];
    const { code, err } = await runCli([...argv, '--model', model, '--key', org.key]);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(/bad\.fga:5:\d+: .*nobody/) });
  });

  it.each<{ name: string; more: readonly string[]; code?: number; reason: RegExp }>([
    { name: 'no key', more: ['--org', 'o'], reason: /an API key is missing/ },
    { name: 'no organization', more: ['--key', 'k'], reason: /add --org/ },
    { name: 'a key that is none', more: ['--org', 'o', '--key', 'k'], reason: /answered 401: / },
    { name: 'a key of several lines', more: ['--org', 'o', '--key', 'a\nb'], reason: /the key .* contains characters/ },
    { name: 'a store', more: ['--org', 'o', '--store', 's'], reason: /--store cannot be used with --url/ },
    { name: 'to make an organization', more: ['--org', 'o', '--create'], reason: /--create .*platform key/ },
    { name: 'to resume', more: ['--org', 'o', '--resume'], reason: /--resume .*run the import again/ },
    { name: 'an address that is none', more: ['--url', 'here', '--org', 'o', '--key', 'k'], reason: /--url: must be/ },
    {
      name: 'an address where nothing answers',
      more: ['--url', 'http://127.0.0.1:9', '--org', 'o', '--key', 'k'],
      code: 70,
      reason: /http:\/\/127\.0\.0\.1:9 cannot be reached: /,
    },
  ])('$name', async ({ more, code = 2, reason }) => {
    const file = scratch.file('a.txt', viewers(1));
    const result = await runCli(['import', file, '--url', service.url, ...more]);
    expect(result).toMatchObject({ code, out: '', err: expect.stringMatching(reason) });
    expect(result.err.split('\n')).toHaveLength(2);
  });

  it('a key without an address, which would not be used', async () => {
    const file = scratch.file('a.txt', viewers(1));
    const argv = ['import', file, '--org', 'o', '--key', 'k', '--data', scratch.path('data')];
    expect(await runCli(argv)).toMatchObject({ code: 2, err: 'relata: --key is only for a server: add --url\n' });
  });

  it('another server than Relata', async () => {
    const proxy = await proxied({ status: 404 });
    const file = scratch.file('a.txt', viewers(1));
    const argv = ['import', file, '--url', proxy.url, '--org', 'acme', '--key', 'k'];
    const { code, err } = await runCli(argv);
    expect(code).toBe(2);
    expect(err).toMatch(/answered 404: is this the address of Relata, and acme an organization of it\?\n$/);
  });
});
