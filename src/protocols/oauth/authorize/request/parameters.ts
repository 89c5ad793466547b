import { z } from 'zod';

const value = z.union([z.string(), z.array(z.string())]).optional();

/** What a query or form can say. Others are ignored (RFC 6749, 3.1). */
const names = {
  client_id: 'Of a client that is registered for the grant `authorization_code`',
  redirect_uri: 'One of those that the client is registered with, character by character',
  response_type: '`code`',
  response_mode: '`query`, `fragment` or `form_post`',
  scope: 'Names apart by spaces',
  state: 'Comes back with the answer',
  nonce: 'Comes back in the ID token',
  code_challenge: 'RFC 7636; needed of public clients, and of all where `requirePkce` is set',
  code_challenge_method: '`S256`',
  prompt: '`none`, or some of `login`, `consent`, `select_account`, `create`',
  max_age: 'Seconds since the user last signed in',
  id_token_hint: 'An ID token of the user that is expected',
  login_hint: 'What the user is known by',
  acr_values: '`2` asks for two factors',
  claims: 'JSON (OpenID Connect Core, 5.5)',
  resource: 'RFC 8707: the organization’s API',
  dpop_jkt: 'RFC 9449, 10',
  request_uri: 'What a pushed request was answered with (RFC 9126)',
} as const;

/** Any parameter, any number of times: the checks judge them, as their refusals have to reach the client. */
export const authorizationParameters = z.looseObject(
  Object.fromEntries(Object.entries(names).map(([name, text]) => [name, value.describe(text)])),
);

type Given = Readonly<Record<string, unknown>>;

/** Parameters of an authorization request. One without a value counts as omitted (RFC 6749, 3.1). */
export class RequestParameters {
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(given: Given) {
    this.#given = new Map(
      Object.entries(given).flatMap(([name, said]) => {
        const values = [said].flat().filter((each): each is string => typeof each === 'string' && each !== '');
        return values.length === 0 ? [] : [[name, values] as const];
      }),
    );
  }

  /** Its value; the first where it is repeated, which a check refuses. */
  one(name: string): string | undefined {
    return this.#given.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  isRepeated(name: string): boolean {
    return this.all(name).length > 1;
  }

  names(): string[] {
    return [...this.#given.keys()];
  }
}
