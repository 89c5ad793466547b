import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Contract, EndpointContract } from './contract.ts';

export interface SeenAnswer {
  readonly method: string;
  /** As it was asked for, without the query. */
  readonly path: string;
  readonly status: number;
  /** What its JSON says; `undefined` where it is none. */
  readonly body: unknown;
}

/** Holds answers against what their endpoints declare, and remembers the codes that it has seen. */
export class AnswerCheck {
  /** `POST /t/{tenant}/api/v1/admin/roles 409 slug_taken`. */
  readonly seen = new Set<string>();
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false }));
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #components: object;
  /** By method and count of segments, those with literals before those with parameters. */
  readonly #routes = new Map<string, { readonly pattern: RegExp; readonly endpoint: EndpointContract }[]>();

  constructor({ endpoints, components }: Contract) {
    this.#components = { schemas: components };
    const literalFirst = endpoints.toSorted(({ path: a }, { path: b }) => (rankOf(a) < rankOf(b) ? -1 : 1));
    for (const endpoint of literalFirst) {
      const pattern = new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const place = placeOf(endpoint);
      this.#routes.set(place, [...(this.#routes.get(place) ?? []), { pattern, endpoint }]);
    }
  }

  /** What is wrong with an answer; `undefined` where nothing is, or where no endpoint stands there. */
  faultOf(answer: SeenAnswer): string | undefined {
    const { endpoint } = this.#routes.get(placeOf(answer))?.find(({ pattern }) => pattern.test(answer.path)) ?? {};
    if (endpoint === undefined) return undefined;
    const fault = answer.status < 400 ? this.#wrongSuccess(endpoint, answer) : this.#wrongFailure(endpoint, answer);
    return fault && `${endpoint.method} ${endpoint.path} ${fault}`;
  }

  #wrongSuccess({ method, path, answers }: EndpointContract, { status, body }: SeenAnswer): string | undefined {
    const schema = answers[status];
    if (schema === undefined) return `answers ${status}, which it does not declare`;
    this.seen.add(`${method} ${path} ${status}`);
    if (schema === null || body === undefined) return undefined;
    const name = `${method} ${path} ${status}`;
    const validate =
      this.#compiled.get(name) ?? this.#ajv.compile({ ...(schema as object), components: this.#components });
    this.#compiled.set(name, validate);
    return validate(body)
      ? undefined
      : `answers ${status} against its schema: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #wrongFailure({ method, path, codes, answers }: EndpointContract, { status, body }: SeenAnswer): string | undefined {
    const { code, error, scimType, jsonrpc, title, detail } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof title === 'string' && typeof detail === 'string' && lettersOf(detail) === lettersOf(title)) {
      return `answers ${status} ${code} with a detail that only says its title again: ${detail}`;
    }
    // that the service cannot do it now, or fails, is nothing of an endpoint
    if (status >= 500) return undefined;
    // errors of JSON-RPC have numbers, and no names
    if (jsonrpc === '2.0') return status in answers ? undefined : `answers ${status}, which it does not declare`;
    // not every error of SCIM has a name
    const written = String(code ?? error ?? scimType ?? '');
    if (!codes[status]?.includes(written)) return `answers ${status} ${written}, which it does not declare`;
    this.seen.add(`${method} ${path} ${status} ${written}`);
    return undefined;
  }
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function placeOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.split('/').length}`;
}

/** Literals sort before parameters in the same place, as the router takes them. */
function rankOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '\uffff');
}
