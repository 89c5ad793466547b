import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, json } from '../../../http/index.ts';
import { diff, factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { type AdminDependencies, type Transaction, transact } from '../../../kernel/transactions/index.ts';

const day = 86_400;

/** What an administrator decides about elevations, with what counts where nobody has said anything. */
export const settingsFields = {
  pendingSeconds: z.int().min(60).max(day).default(600).describe('How long somebody can decide'),
  maxSeconds: z.int().min(60).max(day).default(3600).describe('The longest time for which an agent can ask'),
  requireSecondFactor: z.boolean().default(false).describe('Whether who approves must prove a second factor anew'),
  notifyByMail: z.boolean().default(true).describe('Whether those who can decide get an email'),
};

const schema = z.strictObject(settingsFields);

/** One record an organization, once an administrator has changed something. */
export const elevationSettingsRecords = defineRecord({
  collection: 'jit_settings',
  holds: 'how long agents can be lent something, and how that is approved',
  schema,
  exported: (document) => document,
});

export type ElevationSettings = DocumentOf<typeof elevationSettingsRecords>;

export const settingsId = 'settings';

const usual: ElevationSettings = schema.parse({});

/** To be called inside `Engine.read`. */
export function elevationSettings(store: Store): ElevationSettings {
  return elevationSettingsRecords.get(store, settingsId)?.document ?? usual;
}

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
