import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { createdAnswer, createdSchema, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../../kernel/organizations/index.ts';
import { notFound, numberInPath, transact, writableBody } from '../../../kernel/transactions/index.ts';
import {
  createProvider,
  deleteProvider,
  type Finder,
  type SocialDependencies,
  updateProvider,
} from '../provider-changes.ts';
import { detailsOf, type ProviderInput, typedFields } from '../provider-input.ts';
import { findByNumber } from '../provider-record.ts';
import { clientId, providerName, scopeList, typeNames } from '../provider-types.ts';
import { catalogueEndpoints, listEndpoint } from './listing.ts';
import { tenantProvider, tenantView } from './views.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Social providers'];
const access = { permission: 'settings.manage' };
const family = 'tenant';

const fields = {
  ...typedFields,
  name: providerName.optional(),
  isEnabled: z.boolean().optional(),
  allowSignup: z.boolean().optional(),
  autoLinkUsers: z.boolean().optional(),
  scopes: scopeList.optional(),
};
const createBody = z.strictObject({ ...fields, type: z.enum(typeNames), clientId });
const changeBody = writableBody({ ...fields, clientId: clientId.optional() }, ['id', 'type']);

type Given = z.output<typeof changeBody>;

/** `/admin/social-providers` of the tenant family: a provider is known by its number. */
export function tenantProviderEndpoints(dependencies: SocialDependencies, base: FamilyBase): Endpoint[] {
  const path = `${base}/admin/social-providers/{provider_id}` as const;
  return [
    listEndpoint(dependencies, base, family, tenantProvider, tenantView),
    ...catalogueEndpoints(dependencies, base, family),
    endpoint({
      method: 'POST',
      path: `${base}/admin/social-providers`,
      summary: 'Configure a social provider',
      description: 'Of oidc, the configuration is discovered from `issuerUrl`. Of oidc and saml there may be several.',
      tags,
      access,
      body: createBody,
      responses: { 201: createdSchema(tenantProvider) },
      errors: ['conflict', 'refused', 'unavailable'],
      async handler(call) {
        const { type } = call.body;
        const wanted = { type, identifier: undefined };
        const entry = await createProvider(dependencies, call.caller, factsOf(call), wanted, inputOf(call.body));
        return json(201, createdAnswer(tenantView(entry), family, 'The provider was configured.'));
      },
    }),
    endpoint({
      method: 'GET',
      path,
      summary: 'Get a social provider',
      tags,
      access: { permission: 'settings.read' },
      responses: { 200: singleSchema(tenantProvider) },
      handler: ({ caller, params }) =>
        answerIfMay(dependencies.engine, caller, 'settings.read', () => {
          const entry = finderOf(params.provider_id)(caller.organization.store);
          if (entry === undefined) throw notFound();
          return json(200, singleAnswer(tenantView(entry), family));
        }),
    }),
    endpoint({
      method: 'PUT',
      path,
      summary: 'Change a social provider',
      description: 'What is left out stays.',
      tags,
      access,
      body: changeBody,
      responses: { 200: singleSchema(tenantProvider) },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const find = finderOf(call.params.provider_id);
        const entry = await updateProvider(dependencies, call.caller, factsOf(call), find, inputOf(call.body));
        return json(200, singleAnswer(tenantView(entry), family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path,
      summary: 'Remove a social provider',
      description: 'Nobody signs in through it any more.',
      tags,
      access,
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      async handler(call) {
        const find = finderOf(call.params.provider_id);
        await transact(dependencies, call.caller, factsOf(call), (each) => deleteProvider(each, find));
        return noContent();
      },
    }),
  ];
}

function finderOf(text: string): Finder {
  const number = numberInPath(text);
  return (store) => findByNumber(store, number);
}

function inputOf(body: Given): ProviderInput {
  const { name, isEnabled: enabled, allowSignup, autoLinkUsers, scopes, clientId: id } = body;
  return { name, clientId: id, enabled, allowSignup, autoLinkUsers, scopes, ...detailsOf(body) };
}
