import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/**
 * What a program keeps while it signs its person in, for clients of both generations of the library. It is told where to
 * send the person, and remembers that.
 */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:4711/callback';
  readonly clientMetadata = {
    client_name: 'Assistant',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
  sentTo: URL | undefined;
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  /** @param clientId where the program is known already; otherwise it registers itself */
  constructor(clientId?: string) {
    if (clientId !== undefined) this.#information = { client_id: clientId };
  }

  state() {
    return 'some-state';
  }
  clientInformation() {
    return this.#information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.#information = information;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  discoveryState() {
    return this.#discovered;
  }
}
