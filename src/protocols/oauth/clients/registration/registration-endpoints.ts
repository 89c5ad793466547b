import { z } from 'zod';
import {
  describedObject,
  type Endpoint,
  endpointFor,
  json,
  noContent,
  ProblemError,
  problem,
  tooManyRequests,
} from '../../../../http/index.ts';
import type { Guesses } from '../../../../identity/limits/index.ts';
import { factsOf } from '../../../../kernel/audit/index.ts';
import type { Organization, OrganizationDirectory } from '../../../../kernel/organizations/index.ts';
import { oauthProblems, renderOAuth } from '../../errors/index.ts';
import type { ClientDependencies } from '../records/metadata-rules.ts';
import { metadataSchema, shownMetadata } from './registered-metadata.ts';
import {
  type Claim,
  endRegistration,
  invalidAccessToken,
  type Registered,
  register,
  replaceRegistration,
  requireOwn,
} from './registration-service.ts';

export interface RegistrationEndpointDependencies extends ClientDependencies {
  readonly guesses: Pick<Guesses, 'waitBefore' | 'accepted' | 'refused'>;
  readonly directory: OrganizationDirectory;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

const endpoint = endpointFor<never>();
const path = '/orgs/{orgId}/api/v1/connect/register';
const BODY_MAX = 65_536;
const TOKEN_MAX = 256;

const text = z.string();
const texts = z.array(text);

/** RFC 7591, 3.2.1, and RFC 7592, 3. */
const registeredSchema = z.strictObject({
  client_id: text,
  client_id_issued_at: z.int().describe('Seconds since the epoch'),
  client_secret: text.describe('Shown only once').optional(),
  client_secret_expires_at: z.int().describe('Never: 0').optional(),
  registration_access_token: text,
  registration_client_uri: text,
  client_name: text,
  application_type: text,
  redirect_uris: texts,
  token_endpoint_auth_method: text,
  grant_types: texts,
  response_types: texts,
  scope: text,
  contacts: texts,
  post_logout_redirect_uris: texts,
  client_uri: text.optional(),
  logo_uri: text.optional(),
  policy_uri: text.optional(),
  tos_uri: text.optional(),
  jwks: z.object({ keys: z.array(z.record(text, z.unknown())) }).optional(),
  jwks_uri: text.optional(),
  backchannel_logout_uri: text.optional(),
  id_token_signed_response_alg: text,
  default_max_age: z.int().optional(),
  require_pushed_authorization_requests: z.boolean(),
  dpop_bound_access_tokens: z.boolean(),
  backchannel_logout_session_required: z.boolean(),
});

const metadata = describedObject(
  'ClientMetadata',
  metadataSchema.describe('Client metadata (RFC 7591, 2). Members that are not known are ignored.'),
);

const common = {
  tags: ['OAuth clients'],
  access: 'public',
  renderer: renderOAuth,
  cors: true,
} as const;
const metadataErrors = [oauthProblems.invalid_redirect_uri, oauthProblems.invalid_client_metadata] as const;

/** `connect/register` (RFC 7591) and what a client does with its registration (RFC 7592). */
export function registrationEndpoints(dependencies: RegistrationEndpointDependencies): Endpoint[] {
  return [
    endpoint({
      ...common,
      method: 'POST',
      path,
      summary: 'Register a client',
      description:
        'Where the settings of the organization admit it. Such a client gets no token in its own name, and no scope ' +
        'that is a permission. The answer is the only one that shows secret and registration access token.',
      body: metadata,
      bodyMax: BODY_MAX,
      rate: 'expensive',
      responses: { 201: registeredSchema },
      errors: ['forbidden', 'not_found', 'unavailable', ...metadataErrors],
      async handler(call) {
        const organization = organizationOf(dependencies, call.params.orgId);
        const registered = await register(dependencies, organization, factsOf(call), call.body);
        return json(201, answerOf(dependencies, organization, registered));
      },
    }),
    ...managementEndpoints(dependencies),
  ];
}

function managementEndpoints(dependencies: RegistrationEndpointDependencies): Endpoint[] {
  const own = { ...common, path: `${path}/{clientId}` } as const;
  const errors = ['not_found', 'unavailable', oauthProblems.invalid_token] as const;
  return [
    endpoint({
      ...own,
      method: 'GET',
      summary: 'Read a registration',
      description: 'As Bearer: the registration access token. The secret is not shown again.',
      responses: { 200: registeredSchema },
      errors,
      handler(call) {
        return claimed(dependencies, call, async (organization, claim) => {
          const entry = dependencies.engine.read(() => requireOwn(organization.store, claim));
          const { accessToken } = claim;
          return json(200, answerOf(dependencies, organization, { entry, accessToken, secret: undefined }));
        });
      },
    }),
    endpoint({
      ...own,
      method: 'PUT',
      summary: 'Replace a registration',
      description: 'What is not sent is as if it had never been said. `client_id` must be sent.',
      body: metadata,
      bodyMax: BODY_MAX,
      responses: { 200: registeredSchema },
      errors: [...errors, ...metadataErrors],
      handler(call) {
        const facts = factsOf(call);
        return claimed(dependencies, call, async (organization, claim) => {
          const registered = await replaceRegistration(dependencies, organization, facts, claim, call.body);
          return json(200, answerOf(dependencies, organization, registered));
        });
      },
    }),
    endpoint({
      ...own,
      method: 'DELETE',
      summary: 'Delete a registration',
      description: 'With the same commit the tokens of the client end.',
      responses: { 204: { description: 'It is gone.' } },
      errors,
      handler(call) {
        const facts = factsOf(call);
        return claimed(dependencies, call, async (organization, claim) => {
          await endRegistration(dependencies, organization, facts, claim);
          return noContent();
        });
      },
    }),
  ];
}

interface OwnCall {
  readonly params: { readonly orgId: string; readonly clientId: string };
  header(name: string): string;
  clientAddress(): string;
}

/** Does something with the registration that the request's token opens. Guesses are counted like those of keys. */
async function claimed<T>(
  dependencies: RegistrationEndpointDependencies,
  call: OwnCall,
  act: (organization: Organization, claim: Claim) => Promise<T>,
): Promise<T> {
  const { guesses } = dependencies;
  const { orgId, clientId } = call.params;
  const address = call.clientAddress();
  const accessToken = /^bearer +([0-9A-Za-z]+)$/i.exec(call.header('authorization'))?.[1] ?? '';
  const credential = `${orgId}\n${clientId}\n${accessToken}`;
  const seconds = guesses.waitBefore(address, credential);
  if (seconds !== undefined) throw new ProblemError(tooManyRequests(seconds));
  try {
    const organization = findOrganization(dependencies, orgId);
    if (
      organization === undefined ||
      accessToken === '' ||
      accessToken.length > TOKEN_MAX ||
      clientId.length > TOKEN_MAX
    ) {
      throw invalidAccessToken();
    }
    const answer = await act(organization, { id: clientId, accessToken });
    guesses.accepted(credential);
    return answer;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.kind.status === 401) guesses.refused(address);
    throw error;
  }
}

function findOrganization(
  { engine, directory }: RegistrationEndpointDependencies,
  slug: string,
): Organization | undefined {
  return engine.read(() => directory.find(slug));
}

function organizationOf(dependencies: RegistrationEndpointDependencies, slug: string): Organization {
  const organization = findOrganization(dependencies, slug);
  if (organization === undefined) throw new ProblemError(problem('not_found', 'There is no such organization.'));
  return organization;
}

function answerOf(
  { baseUrl }: RegistrationEndpointDependencies,
  { slug }: Organization,
  { entry: { id, document }, secret, accessToken }: Registered,
) {
  const shown = {
    client_id: id,
    client_id_issued_at: Math.floor(document.createdAt / 1000),
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(document.secretDigest === undefined ? {} : { client_secret_expires_at: 0 }),
    registration_access_token: accessToken,
    registration_client_uri: `${baseUrl}/orgs/${slug}/api/v1/connect/register/${id}`,
    ...shownMetadata(document),
  };
  // the members of `shownMetadata` are those of the schema, and the answer is checked against it
  return shown as unknown as z.output<typeof registeredSchema>;
}
