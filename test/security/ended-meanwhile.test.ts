import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordOf, visitor } from '../identity/account/account-world.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';
import { SignInWorld } from '../identity/signin/world.ts';

const dsl = 'model\n  schema 1.1\ntype document\n  relations\n    define viewer: [user]\n';

const requests = [
  { what: 'an administration command', path: '/admin/groups', body: { name: 'made' } },
  { what: 'a tuple', path: '/zanzibar/tuples', body: { writes: ['document:made#viewer@user:anne'] } },
  { what: 'a model', path: '/zanzibar/models', body: { dsl: `${dsl}type made\n` } },
] as const;

describe('A command is not applied with a credential that ended after it was judged', () => {
  let service: InProcessService;
  let org: InProcessOrganization;
  let count = 0;

  beforeAll(async () => {
    service = await InProcessService.start();
  });
  beforeEach(async () => {
    org = await service.organization(`ended-${++count}`);
    expect((await org.tenant('POST', '/zanzibar/models', { body: { dsl } })).status).toBe(201);
  });
  afterAll(() => service.stop());

  /** The request after which the credential ends, before its command is applied. */
  async function refused(key: string, { path, body }: (typeof requests)[number], end: () => Promise<unknown>) {
    let hasEnded = false;
    service.beforeNextCommit(async () => {
      await end();
      hasEnded = true;
    });
    const answer = await org.tenant('POST', path, { key, body });
    expect(hasEnded).toBe(true);
    expect(answer.status, JSON.stringify(answer.body)).toBe(401);
    for (const list of ['/admin/groups', '/zanzibar/tuples?object=document:made', '/zanzibar/models']) {
      const left = await org.tenant('GET', list);
      expect(left.status).toBe(200);
      expect(JSON.stringify(left.body)).not.toContain('made');
    }
  }

  test.each(requests)('$what: with an API key that is rotated', async (request) => {
    const permissions = ['settings.manage'];
    const made = await org.tenant('POST', '/admin/api-keys', { body: { name: 'worker', permissions } });
    await refused(made.text('data.key'), request, async () => {
      const rotated = await org.tenant('POST', `/admin/api-keys/${made.text('data.id')}/rotate`);
      expect(rotated.status).toBe(200);
    });
  });

  test.each(requests)('$what: with an access token that is revoked', async (request) => {
    const scopes = ['settings.manage', 'groups.create', 'tuples.write'];
    const body = { name: 'program', grantTypes: ['client_credentials'], scopes, permissions: scopes };
    const client = await org.tenant('POST', '/admin/clients', { body });
    const sender = { client_id: client.text('data.clientId'), client_secret: client.text('data.clientSecret') };
    const call = (path: string, form: Record<string, string>) =>
      service.call('POST', `/orgs/${org.organization.slug}/api/v1/oauth/${path}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...sender, ...form }).toString(),
      });
    const issued = await call('token', { grant_type: 'client_credentials' });
    expect(issued.status, JSON.stringify(issued.body)).toBe(200);
    const token = issued.text('access_token');
    await refused(token, request, async () => {
      expect((await call('revoke', { token })).status).toBe(200);
    });
  });
});

test('what people change of themselves is not changed with a session that ended meanwhile', async () => {
  const world = await SignInWorld.start();
  try {
    const site = await world.organization();
    const anne = await visitor(site, { name: 'Anne' });
    const { organization, service } = site.provider;
    const page = await anne.open('/profile');
    service.beforeNextCommit(async () => {
      const ended = await organization.org('DELETE', `/admin/users/${anne.person.id}/sessions`);
      expect(ended.status).toBeLessThan(300);
    });
    const answer = await anne.browser.submit(page, { name: 'Another' });
    expect(answer.text).not.toContain('Your profile was updated');
    expect((await recordOf(site, anne.person)).name).toBe('Anne');
  } finally {
    await world.stop();
  }
});
