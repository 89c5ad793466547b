import { expect, test } from 'vitest';
import { InFamily } from '../../../server/in-family.ts';
import { Organization, RunningService } from '../../../server/running-service.ts';
import { provision, user } from '../provisioning/organization.ts';
import { bulkRequest, post, statuses } from './fake-provider.ts';

const request = (from: number) => ({
  schemas: [bulkRequest],
  Operations: Array.from({ length: 1000 }, (_, n) => post(`u${from + n}`, user(`u${from + n}`))),
});

test('a service that is killed in the middle leaves each operation done or not, and keeps what it has answered', async () => {
  let service = await RunningService.start({ RELATA_THREADS: '1' });
  const { folder } = service;
  try {
    const first = await service.organization('killed');
    const { token } = await provision(new InFamily(first, 'org'));
    const bulk = async (from: number) => {
      const body = request(from);
      const answer = await service.call('POST', '/orgs/killed/scim2.0/Bulk', { key: token, body });
      return statuses(answer.body as Parameters<typeof statuses>[0]);
    };
    const total = async () =>
      Number((await service.call('GET', '/orgs/killed/scim2.0/Users?count=0', { key: token })).at('totalResults'));
    expect(new Set(await bulk(0))).toEqual(new Set(['201']));
    const cut = bulk(1000).catch(() => 'cut');
    await expect.poll(total).toBeGreaterThan(1050);
    await service.stop('SIGKILL');
    expect(await cut).toBe('cut');

    service = await RunningService.start({ RELATA_THREADS: '1' }, folder);
    const left = await total();
    expect(left).toBeGreaterThan(1050);
    const org = new Organization(service, first.slug, first.key);
    const created = await org.call('GET', '/admin/audit-logs?action=user.create&limit=1');
    // each with the entry that tells of it
    expect(created.at('meta.total')).toBe(left);
    const again = await bulk(1000);
    expect(again.filter((status) => status === '409').length).toBe(left - 1000);
    expect(again.filter((status) => status === '201').length).toBe(2000 - left);
    expect(await total()).toBe(2000);
    expect(new Set(await bulk(0))).toEqual(new Set(['409']));
  } finally {
    await service.remove();
  }
});
