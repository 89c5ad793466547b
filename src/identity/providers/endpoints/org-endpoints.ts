import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent, type Reply } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../../kernel/organizations/index.ts';
import { invalid, notFound, transact, writableBody } from '../../../kernel/transactions/index.ts';
import {
  createProvider,
  deleteProvider,
  type Finder,
  type NewProvider,
  type SocialDependencies,
  updateProvider,
  upsertProvider,
} from '../provider-changes.ts';
import { detailsOf, type ProviderInput, typedFields } from '../provider-input.ts';
import { findProvider, type ProviderEntry } from '../provider-record.ts';
import { clientId, providerName, scopeList, typeOf, typeOfIdentifier } from '../provider-types.ts';
import { catalogueEndpoints, listEndpoint, orgApiOf } from './listing.ts';
import { orgProvider, orgView } from './views.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Social providers'];
const access = { permission: 'settings.manage' };
const family = 'org';
const answered = singleSchema(orgProvider);

const fields = {
  ...typedFields,
  displayName: providerName.optional(),
  enabled: z.boolean().optional(),
  requestedScopes: scopeList.optional(),
};
const readOnly = ['id', 'callbackUrl', 'createdAt'];
const createBody = writableBody({ ...fields, provider: z.string().min(1).max(128), clientId }, readOnly);
const replaceBody = writableBody({ ...fields, clientId }, [...readOnly, 'provider']);
const patchBody = writableBody({ ...fields, clientId: clientId.optional() }, [...readOnly, 'provider']);

type Given = z.output<typeof patchBody>;

type Answered = (status: number, entry: ProviderEntry, caller: Caller) => Reply;

/** `/admin/social-providers` of the org family: a provider is known by its identifier, which is its type's name. */
export function orgProviderEndpoints(dependencies: SocialDependencies, base: FamilyBase): Endpoint[] {
  const answer: Answered = (status, entry, caller) =>
    json(status, singleAnswer(orgView(entry, orgApiOf(dependencies.baseUrl, caller)), family));
  const path = `${base}/admin/social-providers/{providerId}` as const;
  return [
    listEndpoint(dependencies, base, family, orgProvider, orgView),
    ...catalogueEndpoints(dependencies, base, family),
    ...makeEndpoints(dependencies, base, answer),
    endpoint({
      method: 'GET',
      path,
      summary: 'Get a social provider',
      tags,
      access: { permission: 'settings.read' },
      responses: { 200: answered },
      handler: ({ caller, params }) =>
        answerIfMay(dependencies.engine, caller, 'settings.read', () => {
          const entry = findProvider(caller.organization.store, params.providerId);
          if (entry === undefined) throw notFound();
          return answer(200, entry, caller);
        }),
    }),
    endpoint({
      method: 'PATCH',
      path,
      summary: 'Change a social provider',
      tags,
      access,
      body: patchBody,
      responses: { 200: answered },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const find = finderOf(call.params.providerId);
        const entry = await updateProvider(dependencies, call.caller, factsOf(call), find, inputOf(call.body));
        return answer(200, entry, call.caller);
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
        const find = finderOf(call.params.providerId);
        await transact(dependencies, call.caller, factsOf(call), (each) => deleteProvider(each, find));
        return noContent();
      },
    }),
    switchEndpoint(dependencies, base, answer, true),
    switchEndpoint(dependencies, base, answer, false),
  ];
}

function makeEndpoints(dependencies: SocialDependencies, base: FamilyBase, answer: Answered): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: `${base}/admin/social-providers`,
      summary: 'Configure a social provider',
      tags,
      access,
      body: createBody,
      responses: { 201: answered },
      errors: ['conflict', 'refused', 'unavailable'],
      async handler(call) {
        const wanted = wantedOf(call.body.provider, 'provider');
        const entry = await createProvider(dependencies, call.caller, factsOf(call), wanted, inputOf(call.body));
        return answer(201, entry, call.caller);
      },
    }),
    endpoint({
      method: 'PUT',
      path: `${base}/admin/social-providers/{providerId}`,
      summary: 'Configure a social provider, or replace its configuration',
      description: 'A secret that is left out stays. Several of one type are told apart as `oidc-acme`.',
      tags,
      access,
      body: replaceBody,
      responses: { 200: answered, 201: answered },
      errors: ['refused', 'unavailable'],
      async handler(call) {
        const { providerId } = call.params;
        const find = finderOf(providerId);
        const known = dependencies.engine.read(() => find(call.caller.organization.store))?.document;
        const wanted: NewProvider =
          known === undefined
            ? wantedOf(providerId, 'path.providerId')
            : { type: known.type, identifier: known.provider };
        const saved = await upsertProvider(dependencies, call.caller, factsOf(call), find, wanted, inputOf(call.body));
        return answer(saved.created ? 201 : 200, saved.entry, call.caller);
      },
    }),
  ];
}

function switchEndpoint(
  dependencies: SocialDependencies,
  base: FamilyBase,
  answer: Answered,
  enabled: boolean,
): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/social-providers/{providerId}/${enabled ? 'enable' : 'disable'}`,
    summary: enabled ? 'Enable a social provider' : 'Disable a social provider',
    tags,
    access,
    responses: { 200: answered },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const input = { enabled, details: {}, secrets: {} };
      const entry = await updateProvider(
        dependencies,
        call.caller,
        factsOf(call),
        finderOf(call.params.providerId),
        input,
      );
      return answer(200, entry, call.caller);
    },
  });
}

function finderOf(providerId: string): Finder {
  return (store) => findProvider(store, providerId);
}

function wantedOf(identifier: string, path: string): NewProvider {
  const type = typeOfIdentifier(identifier);
  if (type === undefined || !typeOf(type).inOrgFamily) throw invalid(path, 'is not a type of provider');
  return { type, identifier };
}

function inputOf(body: Given): ProviderInput {
  const { displayName: name, enabled, requestedScopes: scopes, clientId: id } = body;
  return { name, clientId: id, enabled, scopes, ...detailsOf(body) };
}
