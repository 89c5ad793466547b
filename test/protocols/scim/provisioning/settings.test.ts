import { describe, expect, test } from 'vitest';
import { group, type Provisioned, provisioned, user } from './organization.ts';

const on = provisioned();

type Attempt = (org: Provisioned, id: string) => Promise<{ readonly status: number }>;

const attempts: readonly { readonly flag: string; readonly run: Attempt }[] = [
  { flag: 'create_users', run: (org) => org.send('POST', '/Users', user('other')) },
  { flag: 'update_users', run: (org, id) => org.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Dr' }) },
  {
    flag: 'deactivate_users',
    run: (org, id) => org.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
  },
  { flag: 'delete_users', run: (org, id) => org.send('DELETE', `/Users/${id}`) },
  { flag: 'sync_groups', run: (org) => org.send('POST', '/Groups', group('Sales')) },
];

describe('the settings of SCIM decide', () => {
  test.each(attempts)('$flag', async ({ flag, run }) => {
    const org = on();
    const { id } = await org.make('/Users', user('ada'));
    await org.configure({ provisioning: { [flag]: false } });
    expect(await run(org, id)).toMatchObject({
      status: 403,
      body: { status: '403', detail: expect.stringContaining('settings of SCIM') },
    });
    await org.configure({ provisioning: { [flag]: true } });
    expect((await run(org, id)).status).toBeLessThan(300);
  });

  test('that nothing is provisioned at all', async () => {
    const org = on();
    await org.configure({ enabled: false });
    for (const path of ['/Users', '/Groups', '/Users/x']) {
      expect(await org.send('GET', path)).toMatchObject({ status: 403, body: { status: '403' } });
    }
    expect(await org.send('GET', '/ServiceProviderConfig')).toMatchObject({ status: 404, body: { status: '404' } });
  });

  test('what a change is answered with', async () => {
    const org = on();
    const { id } = await org.make('/Users', user('ada'));
    const { id: groupId } = await org.make('/Groups', group('Sales'));
    const change = async () => {
      const ofUser = await org.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'Dr' });
      const ofGroup = await org.patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: [{ value: id }] });
      return [ofUser.status, ofGroup.status];
    };
    expect(await change()).toEqual([200, 204]);
    await org.configure({ patch_response: 'resource' });
    expect(await change()).toEqual([200, 200]);
    await org.configure({ patch_response: 'no_content' });
    expect(await change()).toEqual([204, 204]);
    // RFC 7644, 3.5.2: 200 where attributes are asked for
    const asked = await org.patch(`/Users/${id}?attributes=title`, { op: 'replace', path: 'title', value: 'Prof' });
    expect(asked).toMatchObject({ status: 200, body: { id, title: 'Prof' } });
  });

  test('whether unknown attributes and members are errors', async () => {
    const org = on();
    const odd = { ...user('ada'), favouriteColour: 'blue' };
    const strangers = group('Sales', 'nobody');
    await org.configure({ strict: true });
    expect(await org.send('POST', '/Users', odd)).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
    expect(await org.send('POST', '/Groups', strangers)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue', detail: expect.stringContaining('nobody') },
    });
    await org.configure({ strict: false });
    expect(await org.make('/Users', odd)).not.toHaveProperty('favouriteColour');
    const { id } = await org.make('/Groups', strangers);
    expect((await org.send('GET', `/Groups/${id}`)).body).not.toHaveProperty('members');
    const told = await org.admin.call('GET', '/audit-logs?action=group.unknown_members');
    expect(JSON.stringify(told.body)).toContain('nobody');
  });
});
