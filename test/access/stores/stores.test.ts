import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStoreFile } from '../../../src/cli/store-file/store-file.ts';
import { runCli } from '../../cli/run-cli.ts';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { askService } from './ask-service.ts';

const folder = 'test/access/stores';
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.fga.yaml'))
  .map((path) => join(folder, path));
let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

/** The file as its author has it, in an organization that has nothing else. */
async function imported(path: string, slug: string): Promise<Organization> {
  const org = await service.organization(slug);
  const argv = ['import', path, '--url', service.url, '--org', slug];
  const { code, err, out } = await runCli(argv, { environment: { RELATA_KEY: org.key } });
  expect({ code, err, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^model .* written\n\d+ tuples/) });
  return org;
}

describe('a store file', () => {
  test('is one of fourteen, each of a field of its own', () => {
    expect(new Set(paths.map((path) => basename(path))).size).toBe(14);
  });

  test.each(paths)('%s passes in `model test` and over HTTP in an organization', async (path) => {
    const file = await readStoreFile(path);
    const tested = await runCli(['model', 'test', path]);
    expect(tested).toMatchObject({ code: 0, err: '' });
    const org = await imported(path, `store-${basename(path, '.fga.yaml')}`);
    const asked = await askService(org, file);
    expect(asked.filter(({ expected, answered }) => expected !== answered)).toEqual([]);
    expect(asked.length).toBeGreaterThan(8);
    expect(tested.out).toContain(`${asked.length} assertions, 0 failed`);
  });

  test('says what an assertion gets that does not hold', async () => {
    const file = await readStoreFile('test/access/stores/public/game.fga.yaml');
    const org = await imported('test/access/stores/public/game.fga.yaml', 'store-wrong');
    const check = [{ user: 'user:cy', object: 'vault:den', assertions: { can_take: true } }];
    const wrong = { ...file, tests: [{ check }] };
    expect(await askService(org, wrong)).toEqual([
      { question: 'vault:den#can_take@user:cy', expected: 'true', answered: 'false' },
    ]);
  });
});

/** Those of OpenFGA, which lie beside the project. */
const samples = join(process.env.RELATA_CONFORMANCE_DIR ?? '../shared/conformance', 'openfga/stores');

describe('a sample store of OpenFGA', () => {
  if (!existsSync(samples)) test.skip(`no sample stores in ${samples}: set RELATA_CONFORMANCE_DIR`);
  else {
    test('is one of six', () => expect(readdirSync(samples)).toHaveLength(6));
    test.each(readdirSync(samples))('%s runs over HTTP in an organization as in `model test`', async (name) => {
      const path = join(samples, name, 'store.fga.yaml');
      const tested = await runCli(['model', 'test', path]);
      expect(tested).toMatchObject({ code: 0, err: '' });
      const org = await imported(path, `sample-${name.replaceAll(/[^a-z0-9]+/g, '-')}`);
      const asked = await askService(org, await readStoreFile(path));
      expect(asked.filter(({ expected, answered }) => expected !== answered)).toEqual([]);
      expect(tested.out).toContain(`${asked.length} assertions, 0 failed`);
    });
  }
});

describe('a model with groups and roles of its own', () => {
  const dsl = `model
  schema 1.1
type user
type group
  relations
    define member: [user, group#member]
type role
  relations
    define assignee: [user, group#member]
type document
  relations
    define editor: [role#assignee]
    define viewer: [user, group#member] or editor
`;
  const GROUPS = 200;
  const ROLES = 50;
  const TOTAL = 10_000;

  /** Each group is in the next one; what is left of the total are members. */
  function tuples(): string[] {
    const made = Array.from(
      { length: GROUPS - 1 },
      (_, n) => `group:org/unit-${n + 1}#member@group:org/unit-${n}#member`,
    );
    for (let n = 0; n < ROLES; n++) {
      made.push(
        `role:editors/${n}#assignee@group:org/unit-${n}#member`,
        `document:d${n}#editor@role:editors/${n}#assignee`,
      );
    }
    for (let n = 0; made.length < TOTAL; n++) made.push(`group:org/unit-${n % GROUPS}#member@user:u${n}`);
    return made;
  }

  test('takes 10,000 tuples over HTTP, without a step before', async () => {
    const org = await service.organization('own-groups');
    expect((await org.post('/zanzibar/models', { dsl })).status).toBe(201);
    const all = tuples();
    expect(all).toHaveLength(TOTAL);
    for (let at = 0; at < TOTAL; at += 1000) {
      const answer = await org.post('/zanzibar/tuples', { writes: all.slice(at, at + 1000) });
      expect(answer.body).toEqual({ revision: expect.any(String) });
    }
    const allowed = async (object: string, subject: string) =>
      (await org.post('/zanzibar/check', { object, relation: 'viewer', subject })).at('allowed');
    // of the same group, of one five groups below, of one that lies above
    expect(await allowed('document:d7', 'user:u7')).toBe(true);
    expect(await allowed('document:d7', 'user:u2')).toBe(true);
    expect(await allowed('document:d7', 'user:u8')).toBe(false);
    const groups = await org.call('GET', '/admin/groups?limit=1');
    expect(groups.at('pagination.total') ?? groups.at('meta.total')).toBe(GROUPS);
    const roles = await org.call('GET', '/admin/roles?limit=100&search=editors');
    expect(roles.list('data').length).toBe(ROLES);
  });
});
