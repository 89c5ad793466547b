/** What Entra ID is said to send in forms that the RFCs do not have. */
import { expect, test } from 'vitest';
import { expectStatus } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';
import { asEntra, directoryUser, manager, managerOf } from './entra.ts';

atBothBases('Entra ID, unusual forms', 'entra-unusual', (scim) => {
  const create = async (): Promise<Made> =>
    expectStatus(await asEntra(scim()).post('/Users', directoryUser()), 201).body as Made;

  test('the manager as a list of one', async () => {
    const [user, boss] = [await create(), await create()];
    const value = [{ value: boss.id, $ref: `https://a.example/scim/Users/${boss.id}` }];
    const answer = await asEntra(scim()).patch(`/Users/${user.id}`, { op: 'Add', path: manager, value });
    expect(managerOf(expectStatus(answer, 200).body as Made)).toMatchObject({ value: boss.id });
  });
});
