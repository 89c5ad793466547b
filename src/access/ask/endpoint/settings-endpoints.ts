import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { diff, factsOf } from '../../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../../kernel/organizations/index.ts';
import { invalid, type Transaction, transact, usableAddress } from '../../../kernel/transactions/index.ts';
import type { OutboundGuard } from '../../../platform/index.ts';
import type { AskDependencies } from '../dependencies.ts';
import {
  type AskSettings,
  askDefaults,
  askSettingsId,
  askSettingsRecords,
  keyBinding,
  readAskSettings,
} from './settings-record.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Questions'];

const settingsSchema = z.strictObject({
  enabled: z.boolean(),
  url: z.string().nullable(),
  model: z.string().nullable(),
  hasApiKey: z.boolean(),
});

const settingsBody = z.strictObject({
  enabled: z.boolean(),
  url: z.string().min(1).max(2048).nullable().describe("Of chat completions, in the form of OpenAI's interface"),
  model: z.string().min(1).max(200).nullable(),
  apiKey: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[\x21-\x7e]+$/u, 'must be visible ASCII characters')
    .nullable()
    .describe('Sent as a bearer token. Kept if omitted, which another host does not allow; null removes it')
    .optional(),
});
type SettingsBody = z.output<typeof settingsBody>;

/** `/admin/ask/settings`. */
export function settingsEndpoints(dependencies: AskDependencies, base: FamilyBase, family: Family): Endpoint[] {
  const path = `${base}/admin/ask/settings` as const;
  const responses = { 200: singleSchema(settingsSchema) };
  return [
    endpoint({
      method: 'GET',
      path,
      summary: 'Get the language model for questions',
      tags,
      access: { permission: 'settings.read' },
      responses,
      handler: ({ caller }) =>
        answerIfMay(dependencies.engine, caller, 'settings.read', () =>
          json(200, singleAnswer(settingsView(readAskSettings(caller.organization.store)), family)),
        ),
    }),
    endpoint({
      method: 'PUT',
      path,
      summary: 'Configure the language model for questions',
      description:
        'It is asked where the words of a question leave open which of a few permissions is meant, and may choose one of ' +
        'them. It is sent the question and the slugs, names and descriptions of those permissions. It decides nothing.',
      tags,
      access: { permission: 'settings.manage' },
      body: settingsBody,
      responses,
      errors: ['unavailable'],
      async handler(call) {
        const { caller, body } = call;
        requireUsable(dependencies.outbound, body);
        await transact(dependencies, caller, factsOf(call), (transaction) =>
          changeSettings(dependencies, transaction, body),
        );
        const settings = dependencies.engine.read(() => readAskSettings(caller.organization.store));
        return json(200, singleAnswer(settingsView(settings), family));
      },
    }),
  ];
}

/** @throws ProblemError 400 where the key would go to another host unseen */
function changeSettings(
  { sealer }: AskDependencies,
  transaction: Transaction,
  { enabled, url, model, apiKey }: SettingsBody,
): void {
  const { organization } = transaction.caller;
  transaction.require('settings.manage');
  const before = transaction.get(askSettingsRecords, askSettingsId)?.document ?? askDefaults;
  const isKept = apiKey === undefined && before.sealedKey !== undefined;
  if (isKept && originOf(before.url) !== originOf(url ?? undefined)) {
    throw invalid('apiKey', 'must be sent again, or as null, because the host of the URL changes');
  }
  const sealedKey = isKept
    ? before.sealedKey
    : typeof apiKey === 'string'
      ? sealer.seal(apiKey, keyBinding(organization.id))
      : undefined;
  const after: AskSettings = {
    enabled,
    ...(url === null ? {} : { url }),
    ...(model === null ? {} : { model }),
    ...(sealedKey === undefined ? {} : { sealedKey }),
  };
  transaction.put(askSettingsRecords, askSettingsId, after);
  transaction.audit({
    eventType: 'admin.action',
    action: 'ask_settings.update',
    severity: 'warning',
    targetType: 'ask_settings',
    metadata: { changes: diff(before, after, ['sealedKey']) },
  });
}

/** @throws ProblemError 400 */
function requireUsable(outbound: OutboundGuard, { enabled, url, model }: SettingsBody): void {
  if (enabled && url === null) throw invalid('url', 'is required to enable it');
  if (enabled && model === null) throw invalid('model', 'is required to enable it');
  if (url !== null) usableAddress('url', () => outbound.requireAddress(outbound.requireUrl(url).hostname));
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin;
}

function settingsView({ enabled, url, model, sealedKey }: AskSettings): z.output<typeof settingsSchema> {
  return { enabled, url: url ?? null, model: model ?? null, hasApiKey: sealedKey !== undefined };
}
