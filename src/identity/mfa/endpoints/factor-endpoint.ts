import { z } from 'zod';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, json } from '../../../http/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';
import type { MfaDependencies } from '../dependencies.ts';
import { type FactorView, listFactors } from '../records/views.ts';
import type { Recovery } from '../recovery/recovery.ts';

const time = z.string().describe('ISO 8601');
const factorSchema = z.strictObject({
  id: z.string(),
  type: z.enum(['totp', 'webauthn', 'sms', 'email']),
  name: z.string().describe('As the user calls it'),
  createdAt: time,
  lastUsedAt: time.nullable(),
});
const factorsSchema = z.strictObject({
  factors: z.array(factorSchema),
  recoveryCodesLeft: z.int(),
});

/** What administrators see of second factors: no secret, and no number that a code is sent to. */
export function factorEndpoints({ engine }: MfaDependencies, recovery: Recovery): Endpoint[] {
  return inBothFamilies((base, family) => [
    endpoint({
      method: 'GET',
      path: `${base}/admin/users/{userId}/mfa`,
      summary: 'Get the second factors and passkeys of a user',
      tags: ['Users'],
      access: { permission: 'users.read' },
      responses: { 200: singleSchema(factorsSchema) },
      handler: ({ caller, params }) =>
        answerIfMay(engine, caller, 'users.read', () => {
          const { store } = caller.organization;
          const { id } = requireUser(caller, params.userId, family);
          const factors = listFactors(store, id).map(shown);
          return json(200, singleAnswer({ factors, recoveryCodesLeft: recovery.left(store, id) }, family));
        }),
    }),
  ]);
}

function shown({ id, type, name, createdAt, lastUsedAt }: FactorView): z.infer<typeof factorSchema> {
  return {
    id,
    type,
    name,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
  };
}
