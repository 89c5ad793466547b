import { z } from 'zod';
import type { Engine } from '#engine';
import { type Problem, problem } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type ClientEntry, clientRecords } from '../clients/index.ts';
import { type IdTokenHint, verifyIdTokenHint } from '../id-tokens/id-token.ts';

const text = (lengthMax: number) =>
  z
    .string('must be given once')
    .max(lengthMax)
    .optional()
    .transform((value) => (value === '' ? undefined : value));

/** What may be asked of the end of a session (OpenID Connect RP-Initiated Logout 1.0, 2). */
export const logoutFields = {
  id_token_hint: text(8192),
  client_id: text(256),
  post_logout_redirect_uri: text(2048),
  state: text(2048),
  // known, and of no use where the pages are in one language and nobody is asked who it is
  logout_hint: text(512),
  ui_locales: text(256),
};

export type LogoutParameters = { readonly [Name in keyof typeof logoutFields]?: string | undefined };

/** What was asked, after everything in it was proved. */
export interface LogoutRequest {
  readonly client: ClientEntry | undefined;
  readonly hint: IdTokenHint | undefined;
  /** Where to go afterwards: registered by the client, with the state. */
  readonly target: string | undefined;
}

/** A problem is for the page, and never for a redirect: nobody has proved who has sent the browser here. */
export async function readLogoutRequest(
  dependencies: { readonly engine: Engine; readonly baseUrl: string },
  organization: Organization,
  { id_token_hint: hintText, client_id: clientId, post_logout_redirect_uri: uri, state }: LogoutParameters,
): Promise<LogoutRequest | Problem> {
  const hint = hintText === undefined ? undefined : await verifyIdTokenHint(dependencies, organization, hintText);
  if (hintText !== undefined && hint === undefined) return refusal('id_token_hint is no ID token of this provider.');
  if (hint !== undefined && clientId !== undefined && hint.clientId !== clientId) {
    return refusal('id_token_hint was issued to another client than client_id names.');
  }
  const named = clientId ?? hint?.clientId;
  const client = named === undefined ? undefined : dependencies.engine.read(() => activeClient(organization, named));
  if (clientId !== undefined && client === undefined) return refusal('client_id names no client.');
  if (uri === undefined) return { client, hint, target: undefined };
  if (client?.document.postLogoutRedirectUris.includes(uri) !== true) {
    return refusal('post_logout_redirect_uri is not registered by the client that asks.');
  }
  return { client, hint, target: withState(uri, state) };
}

function activeClient({ store }: Organization, clientId: string): ClientEntry | undefined {
  const client = clientRecords.get(store, clientId);
  return client?.document.isActive === true ? client : undefined;
}

function withState(uri: string, state: string | undefined): string {
  if (state === undefined) return uri;
  const url = new URL(uri);
  url.searchParams.append('state', state);
  return url.href;
}

function refusal(detail: string): Problem {
  return problem('invalid_request', `The application sent an invalid request: ${detail}`);
}
