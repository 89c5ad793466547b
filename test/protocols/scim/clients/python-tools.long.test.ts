/** `npm test` has the same rules as tables (`scim/conformance/`), and what Entra ID and Okta send (`scim/clients/`). */
/** Programs that others publish to try service providers, unmodified: scim-sanity, scim2-tester and scim2-cli. */
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PythonTools } from '../../../clients/python-tools.ts';
import { type Family, families } from '../../../server/in-family.ts';
import { schemaOf, word } from '../conformance/messages.ts';
import { Provider } from '../conformance/provider.ts';

const packages = [
  'scim-sanity==0.7.4',
  'scim2-cli==0.6.0',
  'scim2-tester==0.5.2',
  'scim2-client==0.13.2',
  'scim2-models==0.12.3',
  'httpx2==2.16.2',
  'pydantic==2.14.3',
  'click==8.5.1',
];
const checkServer = fileURLToPath(new URL('check-server.py', import.meta.url));
const runCommand = ['-c', 'from scim2_cli import cli; cli()'];

interface Report {
  readonly summary: Readonly<Record<'total' | 'passed' | 'failed' | 'warnings' | 'skipped' | 'errors', number>>;
  readonly results: readonly { readonly name: string; readonly status: string; readonly message: string }[];
}

interface CheckResult {
  readonly status: string;
  readonly title: string;
  readonly type: string | null;
  readonly reason: string | null;
}

/**
 * What scim2-tester does not accept, and this provider does all the same: whether a user is active is always shown, and
 * members have the name that their user or group has (specification, SCIM Group), whatever is sent.
 */
const deviations: readonly RegExp[] = [
  /^User check_remove_attribute: PATCH modify\(\) did not remove attribute 'active'$/,
  /^Group check_add_attribute: PATCH modify\(\) returned unexpected value for 'members'\.[\s\S]* display='[\w-]+'/,
  /^Group check_replace_attribute: PATCH modify\(\) returned unexpected value for 'members'\.[\s\S]* display='[\w-]+'/,
];

let tools: PythonTools;

beforeAll(async () => {
  tools = await PythonTools.ready(packages);
});
beforeEach(({ skip }) => skip(tools.missing !== undefined, tools.missing));

/** An organization that answers changes of groups as scim-sanity wants it, with the resource. */
const start = (name: string, family: Family): Promise<Provider> =>
  Provider.start(`${name}-${family}`, family, { patch_response: 'resource', provisioning: { delete_users: true } });

describe.each(families)('%s base', (family) => {
  test('scim-sanity, strict: nothing fails, and nothing is warned of', async () => {
    const scim = await start('scim-sanity', family);
    const parameters = [
      'probe',
      scim.baseUrl,
      '--token',
      scim.token,
      '--strict',
      '--json-output',
      '--i-accept-side-effects',
    ];
    const ran = await tools.run(['-m', 'scim_sanity', ...parameters]);
    const { summary, results } = JSON.parse(ran.output) as Report;
    expect(results.filter(({ status }) => status !== 'pass' && status !== 'skip')).toEqual([]);
    // agents are none of the types that this provider has
    expect(results.filter(({ status, name }) => status === 'skip' && !name.startsWith('Agent'))).toEqual([]);
    expect(summary.passed).toBeGreaterThanOrEqual(28);
    expect(ran.code).toBe(0);
  });

  test('scim2-tester: every check succeeds, but for the known deviations', async () => {
    const scim = await start('scim2-tester', family);
    const ran = await tools.run([checkServer], { SCIM_URL: scim.baseUrl, SCIM_TOKEN: scim.token });
    expect(ran.errors).toBe('');
    const results = JSON.parse(ran.output) as CheckResult[];
    const failures = results.filter(({ status }) => status !== 'SUCCESS');
    const texts = failures.map(({ type, title, reason }) => `${type} ${title}: ${reason}`);
    expect(texts.filter((text) => !deviations.some((each) => each.test(text))).join('\n')).toBe('');
    expect(failures.length).toBe(deviations.length);
    expect(results.length).toBeGreaterThan(100);
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set([null, 'User', 'Group']));
  });
});

describe('scim2-cli', () => {
  let scim: Provider;
  beforeAll(async () => {
    if (tools.missing === undefined) scim = await start('scim2-cli', 'tenant');
  });

  const cli = async (parameters: readonly string[], input?: object) => {
    const environment = { SCIM_CLI_URL: scim.baseUrl, SCIM_CLI_HEADERS: `Authorization: Bearer ${scim.token}` };
    const ran = await tools.run(
      [...runCommand, ...parameters],
      environment,
      input === undefined ? '' : JSON.stringify(input),
    );
    expect({ parameters, ...ran }).toMatchObject({ code: 0, errors: '' });
    return ran.output === '' ? undefined : JSON.parse(ran.output);
  };

  test('creates, queries, searches, modifies, replaces and deletes a user', async () => {
    const name = word();
    const emails = JSON.stringify([{ value: `${name}@mail.example`, primary: true, type: 'work' }]);
    const names = JSON.stringify({ givenName: 'Ada', familyName: 'Lovelace' });
    const created = await cli(['create', 'user', '--user-name', name, '--emails', emails, '--name', names]);
    expect(created).toMatchObject({ userName: name, name: { givenName: 'Ada' } });
    const filter = ['--filter', `userName eq "${name}"`];
    expect(await cli(['query', 'user', ...filter])).toMatchObject({ totalResults: 1, Resources: [created] });
    expect(await cli(['search', ...filter])).toMatchObject({ totalResults: 1, Resources: [created] });
    await cli(['modify', 'user', created.id, 'add', 'title', 'Dr', 'replace', 'active', 'false']);
    const { meta: _, title, active, ...rest } = await scim.shown(`/Users/${created.id}`);
    expect({ title, active }).toEqual({ title: 'Dr', active: false });
    expect(await cli(['replace', 'user'], { ...rest, title: 'Prof' })).toMatchObject({ title: 'Prof' });
    await cli(['delete', 'user', created.id]);
    expect((await scim.get(`/Users/${created.id}`)).status).toBe(404);
  });

  test('changes the members of a group, sends a bulk request, and asks for pages by cursor', async () => {
    const [user, group] = [await scim.newUser(), await scim.newGroup()];
    await cli(['modify', 'group', group.id, 'add', 'members', JSON.stringify([{ value: user.id }])]);
    expect(await scim.shown(`/Groups/${group.id}`)).toMatchObject({ members: [{ value: user.id }] });
    const operations = [{ method: 'DELETE', path: `/Groups/${group.id}` }];
    const bulk = { schemas: [schemaOf.bulkRequest], Operations: operations };
    expect(await cli(['bulk'], bulk)).toMatchObject({ Operations: [{ method: 'DELETE', status: '204' }] });
    await scim.newUser();
    const first = await cli(['query', 'user', '--cursor', '', '--count', '1']);
    expect(first).toMatchObject({ itemsPerPage: 1, nextCursor: expect.any(String) });
  });
});
