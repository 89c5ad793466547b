import type { RequestExample, RequestExamples } from '../../../http/index.ts';

const webhook = { url: 'https://hooks.example/relata', events: ['user.created', 'user.deleted'] };
const since = { since: '2026-01-01T00:00:00Z' };

/** @param noun in the names of the operations */
function webhookExamples(noun: 'Webhook' | 'Subscription', body: object): RequestExamples {
  const named = (examples: readonly (readonly [string, RequestExample])[]) => Object.fromEntries(examples);
  return named([
    [`create${noun}`, { body }],
    [`list${noun}s`, { query: { limit: '10' } }],
    [`get${noun}`, {}],
    [`put${noun}`, { body: { ...body, description: 'The index of people' } }],
    [`update${noun}`, { body: { description: 'The index of people and roles' } }],
    [`test${noun}`, {}],
    [`list${noun}Deliveries`, {}],
    [`get${noun}Delivery`, {}],
    [noun === 'Webhook' ? 'redeliverWebhook' : 'redeliverSubscription', {}],
    [`replay${noun}`, { body: since }],
    [`get${noun}Replay`, {}],
    [`rotate${noun}Secret`, { body: { expireOldAfterSeconds: 3600 } }],
    [`disable${noun}`, {}],
    [`enable${noun}`, {}],
    [`delete${noun}`, {}],
  ]);
}

export const programExamples: RequestExamples = {
  createApiKey: { body: { name: 'Shop', permissions: ['authz:check'] } },
  listApiKeys: { query: { search: 'shop' } },
  getApiKey: {},
  updateApiKey: { body: { name: 'Shop and warehouse' } },
  rotateApiKey: {},
  revokeApiKey: {},

  createAgent: {
    body: { name: 'Phone list', type: 'ai_assistant', permissions: ['authz:check'], allowedIps: ['192.0.2.0/24'] },
  },
  listAgents: { query: { search: 'phone', type: 'ai_assistant' } },
  getAgent: {},
  updateAgent: { body: { description: 'Keeps the list of telephone numbers' } },
  rotateAgentKey: {},
  deleteAgent: {},

  ...webhookExamples('Webhook', webhook),
  ...webhookExamples('Subscription', webhook),
};
