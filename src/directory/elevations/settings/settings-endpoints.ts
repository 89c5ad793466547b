import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { diff, factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import {
  type ElevationSettings,
  elevationSettings,
  elevationSettingsRecords,
  settingsFields,
  settingsId,
} from './elevation-settings.ts';

const endpoint = endpointFor<Caller>();

/** `/admin/elevations/settings`, in both families. */
export function elevationSettingsEndpoints(dependencies: AdminDependencies): Endpoint[] {
  const body = z.strictObject(settingsFields);
  return inBothFamilies((base, family) => [
    endpoint({
      method: 'GET',
      path: `${base}/admin/elevations/settings`,
      summary: 'Get the settings of elevations',
      tags: ['Elevations'],
      access: { permission: 'agents.manage' },
      responses: { 200: singleSchema(body) },
      handler({ caller }) {
        return answerIfMay(dependencies.engine, caller, 'agents.manage', () =>
          json(200, singleAnswer(elevationSettings(caller.organization.store), family)),
        );
      },
    }),
    endpoint({
      method: 'PUT',
      path: `${base}/admin/elevations/settings`,
      summary: 'Change the settings of elevations',
      description: 'What is left out gets its usual value. Tasks that wait, and what is lent, stay as they are.',
      tags: ['Elevations'],
      access: { permission: 'settings.manage' },
      body,
      responses: { 200: singleSchema(body) },
      errors: ['unavailable'],
      async handler(call) {
        const { caller, body: settings } = call;
        await transact(dependencies, caller, factsOf(call), (transaction) => change(transaction, settings));
        return json(200, singleAnswer(settings, family));
      },
    }),
  ]);
}

function change(transaction: Transaction, settings: ElevationSettings): void {
  const { store } = transaction;
  transaction.require('settings.manage');
  const entry = elevationSettingsRecords.get(store, settingsId);
  const changes = diff(elevationSettings(store), settings);
  if (Object.keys(changes).length === 0) return;
  transaction.expect([elevationSettingsRecords.asRead(store, settingsId, entry)]);
  transaction.put(elevationSettingsRecords, settingsId, settings);
  transaction.audit({
    eventType: 'admin.action',
    action: 'elevation_settings.update',
    targetType: 'elevation_settings',
    metadata: { changes },
  });
}
