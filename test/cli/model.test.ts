import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { MODEL, scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();

const root = fileURLToPath(new URL('../../', import.meta.url));
const conformance = process.env.RELATA_CONFORMANCE_DIR ?? join(root, '../shared/conformance');
const stores = join(conformance, 'openfga/stores');

describe('relata model test passes the sample stores', () => {
  if (!existsSync(stores)) it.skip(`no sample stores in ${stores}: set RELATA_CONFORMANCE_DIR`);
  else {
    it('of which there are six', () => expect(readdirSync(stores)).toHaveLength(6));
    it.each(readdirSync(stores))('%s', async (name) => {
      const { out, err, code } = await runCli(['model', 'test', join(stores, name, 'store.fga.yaml')]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(
        /^passed .*, [1-9]\d* assertions, 0 failed\n1 file, [1-9]\d* tests, [1-9]\d* assertions: 0 failed\n$/,
      );
    });
  }
});

const INDENTED = MODEL.split('\n')
  .map((line) => `  ${line}`)
  .join('\n');

const STORE = `name: a store
model: |
${INDENTED}
tuples:
  - { user: 'user:anne', relation: viewer, object: 'doc:1' }
  - { user: 'user:*', relation: member, object: 'group:all' }
  - { user: 'group:all#member', relation: viewer, object: 'doc:2' }
  - { user: 'user:beth', relation: viewer, object: 'doc:2', condition: { name: recent } }
`;

function store(tests: string): string {
  return scratch.file('store.fga.yaml', `${STORE}tests:\n${tests}`);
}

const contextual = `
  - name: contextual
    tuples:
      - { user: 'user:carl', relation: viewer, object: 'doc:1' }
    check:
      - { user: 'user:carl', object: 'doc:1', assertions: { viewer: true } }
    list_users:
      - object: doc:1
        user_filter: [{ type: user }]
        assertions: { viewer: { users: ['user:carl', 'user:anne'] } }
  - name: and no longer
    check:
      - { user: 'user:carl', object: 'doc:1', assertions: { viewer: false } }
`;

describe('relata model test', () => {
  it.each<{ name: string; given: string; assertions: number }>([
    { name: 'tuples of one test', given: contextual, assertions: 3 },
    {
      name: 'several users and objects in one check',
      given:
        "  - check: [{ users: ['user:anne', 'user:x'], objects: ['group:all', 'group:none'], assertions: { member: false } }]",
      assertions: 4,
    },
    {
      name: 'usersets and several filters in list_users',
      given: `  - list_users:
      - object: doc:2
        user_filter: [{ type: user }, { type: group, relation: member }]
        context: { age: 1 }
        assertions: { viewer: { users: ['user:*', 'user:beth', 'group:all#member'] } }`,
      assertions: 1,
    },
    {
      name: 'context',
      given: `  - check:
      - { user: 'user:beth', object: 'doc:2', context: { age: 1 }, assertions: { viewer: true } }
    list_objects:
      - { user: 'user:anne', type: doc, context: { age: 99 }, assertions: { viewer: ['doc:2', 'doc:1'], parent: [] } }`,
      assertions: 3,
    },
  ])('knows $name', async ({ name, given, assertions }) => {
    const { out, err, code } = await runCli(['model', 'test', store(given)]);
    // everyone is a member of group:all, and nobody of group:none
    if (name.startsWith('several users')) {
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(out).toContain('4 assertions: 2 failed');
      return;
    }
    expect({ code, err, out }).toMatchObject({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`\\b${assertions} assertions?: 0 failed`));
  });

  it.each<{ name: string; given: string; expect: RegExp }>([
    {
      name: 'a wrong decision',
      given: "  - name: t\n    check: [{ user: 'user:anne', object: 'doc:1', assertions: { viewer: false } }]",
      expect: /FAILED {2}check doc:1#viewer@user:anne\n +expected false, got true\n/,
    },
    {
      name: 'a decision that lacks context',
      given:
        "  - check: [{ user: 'user:zoe', object: 'doc:3', assertions: { viewer: false } }]\n    tuples: [{ user: 'user:zoe', relation: viewer, object: 'doc:3', condition: { name: recent } }]",
      expect: /expected false, got no answer: missing age\n/,
    },
    {
      name: 'a wrong list of objects',
      given:
        "  - list_objects: [{ user: 'user:anne', type: doc, context: { age: 99 }, assertions: { viewer: ['doc:1', 'doc:9'] } }]",
      expect: /list objects doc#viewer@user:anne\n +expected \[doc:1, doc:9\], got \[doc:1, doc:2\]\n/,
    },
    {
      name: 'a wrong list of users',
      given:
        "  - list_users: [{ object: 'doc:1', user_filter: [{ type: user }], assertions: { viewer: { users: [] } } }]",
      expect: /list users doc:1#viewer@user\n +expected \[\], got \[user:anne\]\n/,
    },
    {
      name: 'an unknown relation',
      given: "  - check: [{ user: 'user:anne', object: 'doc:1', assertions: { owner: false } }]",
      expect: /expected false, got no answer: the model has no doc#owner\n/,
    },
  ])('reports $name', async ({ given, expect: expected }) => {
    const { out, code } = await runCli(['model', 'test', store(given)]);
    expect(code).toBe(1);
    expect(out).toMatch(expected);
  });

  it('writes JUnit XML with what went wrong, escaped', async () => {
    const junit = scratch.path('junit.xml');
    const file = store(
      "  - name: a <b> & \"c\"\n    check: [{ user: 'user:anne', object: 'doc:1', assertions: { viewer: true, parent: true } }]",
    );
    expect((await runCli(['model', 'test', file, '--junit', junit])).code).toBe(1);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain(`<testsuite name="${file}" tests="2" failures="1" errors="0" skipped="0"`);
    expect(xml).toContain('classname="a &lt;b&gt; &amp; &quot;c&quot;" name="check doc:1#viewer@user:anne"');
    expect(xml).toContain('<failure message="expected true, got false"/>');
    expect(xml.match(/<testcase /g)).toHaveLength(2);
  });

  it('shows what passed when asked', async () => {
    const { out } = await runCli(['model', 'test', store(contextual), '--verbose']);
    expect(out).toContain('    ok      check doc:1#viewer@user:carl');
  });

  it.each<{ name: string; given: string; expect: RegExp }>([
    { name: 'broken YAML', given: 'model: [', expect: /store\.fga\.yaml:1:\d+: / },
    {
      name: 'a field that it does not know',
      given: `${STORE}test: []`,
      expect: /:\d+:\d+: .*Unrecognized key: "test"/,
    },
    {
      name: 'an assertion that is no decision',
      given: `${STORE}tests:\n  - check: [{ user: a, object: b, assertions: { c: 1 } }]`,
      expect: /:\d+:\d+: tests\.0\.check\.0\.assertions\.c: /,
    },
    { name: 'no model', given: 'tests: []', expect: /has neither model nor model_file/ },
    {
      name: 'a broken model',
      given: 'model: |\n  model\n    schema 1.1\n  type a\n  type a\n',
      expect: /store\.fga\.yaml:\d+:\d+: /,
    },
    {
      name: 'a tuple that the model refuses',
      given: `${STORE}  - bot:1#x@user:1\n`,
      expect: /store\.fga\.yaml: tuple 5: the model has no type bot/,
    },
    { name: 'a tuple file that is not there', given: `${STORE}tuple_file: absent.csv\n`, expect: /absent\.csv/ },
  ])('cannot use $name', async ({ given, expect: expected }) => {
    const good = join(scratch.path('.'), 'good.fga.yaml');
    scratch.file('good.fga.yaml', STORE);
    const { out, err, code } = await runCli(['model', 'test', scratch.file('store.fga.yaml', given), good]);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toContain('2 files, 0 tests, 0 assertions: 0 failed, 1 file could not be used');
  });
});

describe('relata model validate', () => {
  it('says what a model has', async () => {
    const file = scratch.file('model.fga', MODEL);
    expect(await runCli(['model', 'validate', file])).toEqual({
      code: 0,
      err: '',
      out: `${file}: 3 types, 1 condition, no issues\n`,
    });
  });

  it('lists every issue with its place', async () => {
    const file = scratch.file(
      'model.fga',
      `${MODEL}type a\n  relations\n    define x: [nobody]\n    define y: nothing\n`,
    );
    const { out, code } = await runCli(['model', 'validate', file]);
    expect(code).toBe(1);
    const places = out.trimEnd().split('\n');
    expect(places.length).toBeGreaterThan(0);
    for (const line of places) expect(line).toMatch(/model\.fga:\d+:\d+: ./);
  });
});

describe('a store file of an organization', () => {
  const exported = async () => {
    const data = scratch.path('data');
    const model = scratch.file(
      'model.fga',
      'model\n  schema 1.1\ntype memo\n  relations\n    define reader: [user, group#member, role#assignee]\n',
    );
    const tuples = scratch.file('t.ndjson', '{"object":"memo:1","relation":"reader","subject":"user:anne"}\n');
    const read = await runCli(['import', tuples, '--org', 'acme', '--create', '--model', model, '--data', data]);
    expect(read, read.err).toMatchObject({ code: 0 });
    const file = scratch.path('acme.fga.yaml');
    const done = await runCli(['export', '--org', 'acme', '--data', data, '-o', file]);
    expect(done, done.err).toMatchObject({ code: 0 });
    return file;
  };

  it('uses types that it does not declare: both commands know them where they are told to', async () => {
    const file = await exported();
    expect((await runCli(['model', 'validate', file])).code).toBe(1);
    const valid = await runCli(['model', 'validate', '--system-types', file]);
    expect([valid.code, valid.out]).toEqual([0, expect.stringContaining('no issues')]);
    expect((await runCli(['model', 'test', file])).code).not.toBe(0);
    expect(await runCli(['model', 'test', '--system-types', file])).toMatchObject({ code: 0, err: '' });
  });
});
