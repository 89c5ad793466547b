import type { Store } from '#engine';
import { ProblemError, problem } from '../../../../http/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { type ClientEntry, clientRecords, documentText, isRegisteredRedirect, isServed } from '../../clients/index.ts';
import type { ProtocolDependencies } from '../../protocol/dependencies.ts';
import { type AnswerTarget, type ResponseMode, responseModes } from './authorization-request.ts';
import type { RequestParameters } from './parameters.ts';

const ID_MAX = 256;
const URI_MAX = 2000;
/** Longer ones do not fit the URLs that they come back in. */
export const STATE_MAX = 2048;

export interface Target {
  readonly client: ClientEntry;
  readonly target: AnswerTarget;
}

/**
 * Who asks, and where the answer goes. Until both are good, nothing is sent anywhere: otherwise whoever wrote the
 * request would choose where (RFC 6749, 3.1.2.4). To be called inside a snapshot.
 * @throws ProblemError for the user's eyes
 */
export function answerTarget(store: Store, parameters: RequestParameters): Target {
  const clientId = once(parameters, 'client_id', ID_MAX);
  const client = clientThatAsks(store, clientId);
  const redirectUri = once(parameters, 'redirect_uri', URI_MAX);
  requireRegistered(client, redirectUri);
  const state = parameters.isRepeated('state') ? undefined : parameters.one('state');
  return {
    client,
    target: {
      clientId,
      redirectUri,
      responseMode: modeOf(parameters),
      ...(state === undefined || state.length > STATE_MAX ? {} : { state }),
    },
  };
}

/** @throws ProblemError for the user's eyes */
export function clientThatAsks(store: Store, clientId: string): ClientEntry {
  const client = clientRecords.get(store, clientId);
  if (client !== undefined && isServed(store, client)) return client;
  throw wrong('client_id', 'This application is not known here, or it was switched off.');
}

/** @throws ProblemError for the user's eyes */
export function requireRegistered({ document }: ClientEntry, redirectUri: string): void {
  if (isRegisteredRedirect(document.redirectUris, redirectUri, document.kind === 'document')) return;
  throw wrong('redirect_uri', 'This application is not registered with the address that it wants to continue at.');
}

function once(parameters: RequestParameters, name: string, lengthMax: number): string {
  const value = parameters.one(name);
  if (value === undefined) throw wrong(name, `The link that led here is incomplete: ${name} is missing.`);
  if (parameters.isRepeated(name))
    throw wrong(name, `The link that led here cannot be read: ${name} must be given once.`);
  if (value.length > lengthMax) throw wrong(name, `The link that led here cannot be read: ${name} is too long.`);
  return value;
}

/** An unknown mode is refused by a check, and its refusal goes the usual way. */
function modeOf(parameters: RequestParameters): ResponseMode {
  const said = parameters.isRepeated('response_mode') ? undefined : parameters.one('response_mode');
  return responseModes.find((mode) => mode === said) ?? 'query';
}

/** For the user, and where a client asks by itself, for that. */
function wrong(path: string, message: string): ProblemError {
  return new ProblemError(problem('invalid_request', message, { errors: [{ path, message }] }));
}

/**
 * Brings a client whose id is the address of a document up to date. All others stay as they are on record.
 * @throws ProblemError for the user's eyes: where such a document is no client, nobody knows where the user came from
 */
export async function requireDocument(
  { documents }: Pick<ProtocolDependencies, 'documents'>,
  organization: Organization,
  clientId: string | undefined,
): Promise<void> {
  if (clientId === undefined) return;
  const fault = await documents.settle(organization, clientId, { mayBeNew: true });
  if (fault === undefined) return;
  const message = documentText(clientId, fault);
  const where = { errors: [{ path: 'client_id', message }] };
  throw new ProblemError(problem(fault.isLasting ? 'invalid_request' : 'unavailable', message, where));
}
