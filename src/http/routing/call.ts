import { type AddressList, clientAddress } from '../../platform/index.ts';
import type { Foreseen, HeadNotes, IncomingRequest } from '../transport/transport.ts';
import type { Visit } from './access.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * What a handler gets: validated input and the caller. Not to be kept after the answer, as the request behind it is
 * used again then.
 */
export interface Call<Params, Query, Body, Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** `undefined` at public endpoints. */
  readonly caller: Caller;
  readonly requestId: string;
  /** `''` where absent. */
  header(name: string): string;
  /** Behind trusted proxies the client's; `''` where unknown. */
  clientAddress(): string;
}

/** One object for the guard and the handler, filled as the request passes its stations. */
export class ActiveCall implements Visit, Call<unknown, unknown, unknown, unknown> {
  readonly endpoint: Endpoint;
  params: Readonly<Record<string, string>>;
  query: unknown = undefined;
  body: unknown = undefined;
  caller: unknown = undefined;
  readonly requestId: string;
  readonly request: IncomingRequest;
  readonly #trusted: AddressList;
  #address: string | undefined;

  constructor(
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    request: IncomingRequest,
    trusted: AddressList,
  ) {
    this.endpoint = endpoint;
    this.params = params;
    this.request = request;
    this.requestId = request.id;
    this.#trusted = trusted;
  }

  get path(): string {
    return this.request.path;
  }

  get notes(): HeadNotes | undefined {
    return this.request.notes;
  }

  get foreseen(): Foreseen | undefined {
    return this.request.foreseen;
  }

  header(name: string): string {
    return this.request.header(name);
  }

  clientAddress(): string {
    this.#address ??= clientAddress(this.request.peerAddress(), this.request.header('x-forwarded-for'), this.#trusted);
    return this.#address;
  }
}
