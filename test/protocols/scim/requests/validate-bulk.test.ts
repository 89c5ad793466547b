import { describe, expect, test } from 'vitest';
import { group, provisioned, user } from '../provisioning/organization.ts';
import { everything, patch, validated } from './trying.ts';

const on = provisioned();

describe('a bulk request', () => {
  const bulk = (...Operations: object[]) => ({
    method: 'POST',
    path: '/Bulk',
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations },
  });
  const post = (path: string, bulkId: string, data: object) => ({ method: 'POST', path, bulkId, data });

  test('each operation is tried as if those before it had been performed, and nothing is committed', async () => {
    const org = on();
    const ada = await org.make('/Users', user('ada'));
    const before = await everything(org);
    const outcome = await validated(
      org,
      bulk(
        post('/Groups', 'g', group('Sales', 'bulkId:c', ada.id)),
        post('/Users', 'c', user('carol')),
        { method: 'PATCH', path: '/Users/bulkId:c', data: patch({ op: 'replace', path: 'title', value: 'Dr' }) },
        post('/Users', 'd', user('Carol', { emails: [{ value: 'other@people.example' }] })),
        post('/Groups', 'h', group('sales')),
        { method: 'PATCH', path: `/Users/${ada.id}`, data: patch({ op: 'replace', path: 'active', value: false }) },
        { method: 'DELETE', path: '/Users/bulkId:c' },
        { method: 'PATCH', path: '/Users/bulkId:c', data: patch({ op: 'replace', path: 'title', value: 'Prof' }) },
        { method: 'DELETE', path: '/Users/nobody' },
        post('/Groups', 'x', group('X', 'bulkId:nothing')),
      ),
    );
    expect(outcome.status).toBe(200);
    const results = (outcome.response as { Operations: { status: string; location?: string }[] }).Operations;
    expect(results.map(({ status }) => status)).toEqual([
      '201',
      '201',
      '200',
      '409',
      '409',
      '200',
      '204',
      '404',
      '404',
      '400',
    ]);
    const carol = results[1]?.location?.split('/').at(-1);
    expect(outcome.changes).toMatchObject([
      { resourceType: 'User', action: 'create', id: carol },
      { resourceType: 'Group', action: 'create', membersAdded: { count: 2, ids: [carol, ada.id] } },
      { resourceType: 'User', id: carol, action: 'update', attributes: { title: { after: 'Dr' } } },
      { resourceType: 'User', id: ada.id, endsSessions: true },
      { resourceType: 'User', id: carol, action: 'delete' },
    ]);
    expect(await everything(org)).toEqual(before);
  });

  test('is refused as it would be', async () => {
    const org = on();
    const two = [post('/Users', 'a', {}), post('/Users', 'b', {})];
    const stopped = await validated(org, { ...bulk(), body: { ...bulk(...two).body, failOnErrors: 1 } });
    expect((stopped.response as { Operations: unknown[] }).Operations).toHaveLength(1);
    expect(await validated(org, bulk())).toMatchObject({ status: 400, response: { scimType: 'invalidSyntax' } });
    const many = Array.from({ length: 1001 }, (_, at) => post('/Users', `b${at}`, {}));
    expect(await validated(org, bulk(...many))).toMatchObject({ status: 413 });
    const long = bulk(post('/Users', 'a', { nickName: 'x'.repeat(2 ** 20) }));
    expect(await validated(org, long)).toMatchObject({
      status: 413,
      response: { detail: expect.stringContaining('maxPayloadSize') },
    });
    await org.configure({ provisioning: { create_users: false } });
    const refused = await validated(org, bulk(post('/Users', 'a', user('ada'))));
    expect(refused.response).toMatchObject({ Operations: [{ status: '403' }] });
    await org.configure({ enabled: false });
    expect(await validated(org, bulk(...two))).toMatchObject({ status: 403, changes: [] });
  });
});
