import type { z } from 'zod';
import { type FormReader, formReader } from '../input/form-text.ts';
import type { Problem } from '../problems/problem.ts';
import { type ProblemCode, type ProblemKind, problemKinds } from '../problems/problem-kinds.ts';
import { type ErrorRenderer, renderProblem } from '../problems/problem-renderer.ts';
import type { Reply } from '../reply/reply.ts';
import type { Access } from './access.ts';
import type { Call } from './call.ts';
import { type PathParameters, parsePath } from './path-pattern.ts';
import type { RateClass } from './throttle.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ResponseDetails {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** `application/json` where there is a schema and nothing else is said. */
  readonly contentType?: string;
  /** Others that it can have, by media type, where the caller chooses. */
  readonly others?: Readonly<Record<string, z.ZodType>>;
  /** Name and description of headers worth knowing. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an endpoint answers, by status. A bare schema is a JSON body. */
export type Responses = Readonly<Record<number, z.ZodType | ResponseDetails>>;

type SaysOf<R> = R extends z.ZodType<infer T> ? T : R extends { readonly schema: z.ZodType<infer T> } ? T : unknown;

/** What the handler returns: a reply whose body is that of one of the responses, or a problem. */
export type Answer<R extends Responses> = Reply<SaysOf<R[keyof R]>> | Problem;

/** How the body is written. `bytes` hands it over unread, as a copy. */
export type BodyForm = 'json' | 'form' | 'bytes';

type CallerOf<A extends Access, Caller> = A extends 'public' ? undefined : Caller;

export interface EndpointSpec<Path extends string, P, Q, B, R extends Responses, A extends Access, Caller> {
  readonly method: Method;
  /** `/orgs/{orgId}/api/v1/...`. A literal segment goes before a parameter at the same position. */
  readonly path: Path;
  readonly summary: string;
  /** Markdown, for the reference. */
  readonly description?: string;
  readonly tags: readonly string[];
  readonly access: A;
  /** Without it parameters are the decoded texts. */
  readonly params?: z.ZodType<P>;
  /** Values are texts, or lists of texts where a parameter is repeated: coerce in the schema. */
  readonly query?: z.ZodType<Q>;
  /** `z.strictObject`, so that unknown fields are refused. */
  readonly body?: z.ZodType<B>;
  readonly bodyForm?: BodyForm;
  /** Whether the body may be missing; the handler then gets what the schema makes of `undefined`. */
  readonly bodyOptional?: boolean;
  /** Makes of a body of the type `text/plain` the value that the schema accepts; without it there is none. */
  readonly plainText?: (text: string) => unknown;
  /** Media types of the body; the usual one of its form where omitted. */
  readonly accepts?: readonly string[];
  /** Most bytes of the body, where the general limit does not fit. */
  readonly bodyMax?: number;
  /** Most fields of a form, where the general limit of parameters does not fit. */
  readonly fieldsMax?: number;
  /**
   * A hand-written validator for a hot endpoint. It answers the body where it is sure that the schema would accept it
   * unchanged, and `undefined` otherwise: then the schema decides and words the errors. A test proves that both agree.
   */
  readonly fast?: (value: unknown) => B | undefined;
  /**
   * A hand-written reader of the plainest form of a hot endpoint's body, given as text of one character a byte. It
   * answers the body where it is sure that parsing and the schema would accept it as the same value, and `undefined`
   * otherwise: then those decide. A test proves that both agree.
   */
  readonly scan?: (text: string) => B | undefined;
  readonly responses: R;
  /** What the handler itself can answer; problems of credentials and of input are added. */
  readonly errors?: readonly (ProblemCode | ProblemKind)[];
  readonly renderer?: ErrorRenderer;
  /** Whether scripts of any origin may call it: protocol endpoints alone, and never with cookies. */
  readonly cors?: boolean;
  /** `ordinary` where omitted. */
  readonly rate?: RateClass;
  /** RFC 9745 and RFC 8594. */
  readonly deprecated?: { readonly since: Date; readonly sunset: Date };
  handler(call: Call<P, Q, B, CallerOf<A, Caller>>): Answer<R> | Promise<Answer<R>>;
}

/** An endpoint as the application runs and describes it: the same value without its type parameters. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly access: Access;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly bodyForm: BodyForm | undefined;
  readonly bodyOptional: boolean;
  readonly plainText: ((text: string) => unknown) | undefined;
  readonly accepts: readonly string[];
  readonly bodyMax: number | undefined;
  readonly fieldsMax: number | undefined;
  readonly fast: ((value: unknown) => unknown) | undefined;
  readonly scan: ((text: string) => unknown) | undefined;
  readonly formReader: FormReader | undefined;
  readonly responses: ReadonlyMap<number, ResponseDetails>;
  /** Every kind that it can answer, by status. */
  readonly errors: readonly ProblemKind[];
  readonly renderer: ErrorRenderer;
  readonly cors: boolean;
  readonly rate: RateClass;
  readonly deprecated: { readonly since: Date; readonly sunset: Date } | undefined;
  readonly handler: (call: Call<unknown, unknown, unknown, unknown>) => Reply | Problem | Promise<Reply | Problem>;
}

const usualTypes: Readonly<Record<BodyForm, readonly string[]>> = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  bytes: ['application/octet-stream'],
};

/** The media type of a body that is text alone. */
export const plainTextType = 'text/plain';

/**
 * Makes `endpoint` for one type of caller: `const endpoint = endpointFor<Principal>();`
 * @throws RangeError where the path is not one
 */
export function endpointFor<Caller>() {
  return function endpoint<
    const Path extends string,
    R extends Responses,
    const A extends Access,
    P = PathParameters<Path>,
    Q = undefined,
    B = undefined,
  >(spec: EndpointSpec<Path, P, Q, B, R, A, Caller>): Endpoint {
    parsePath(spec.path);
    const bodyForm = spec.bodyForm ?? (spec.body === undefined ? undefined : 'json');
    return {
      method: spec.method,
      path: spec.path,
      summary: spec.summary,
      description: spec.description,
      tags: spec.tags,
      access: spec.access,
      params: spec.params,
      query: spec.query,
      body: spec.body,
      bodyForm,
      bodyOptional: spec.bodyOptional ?? false,
      plainText: spec.plainText,
      accepts: [
        ...(spec.accepts ?? (bodyForm === undefined ? [] : usualTypes[bodyForm])),
        ...(spec.plainText === undefined ? [] : [plainTextType]),
      ],
      bodyMax: spec.bodyMax,
      fieldsMax: spec.fieldsMax,
      fast: spec.fast,
      scan: spec.scan,
      formReader: bodyForm === 'form' ? formReader(spec.body) : undefined,
      responses: responseMap(spec.responses),
      errors: errorKinds(spec.access, bodyForm, spec),
      renderer: spec.renderer ?? renderProblem,
      cors: spec.cors ?? false,
      rate: spec.rate ?? 'ordinary',
      deprecated: spec.deprecated,
      // the application calls it only with what these very schemas made, which the erased type cannot say
      handler: (call) => spec.handler(call as Call<P, Q, B, CallerOf<A, Caller>>),
    };
  };
}

function responseMap(responses: Responses): ReadonlyMap<number, ResponseDetails> {
  const details = Object.entries(responses).map(([status, response]): [number, ResponseDetails] => [
    Number(status),
    'description' in response && typeof response.description === 'string' && !('parse' in response)
      ? (response as ResponseDetails)
      : { description: (response as z.ZodType).description ?? 'The answer', schema: response as z.ZodType },
  ]);
  return new Map(details);
}

function errorKinds(
  access: Access,
  bodyForm: BodyForm | undefined,
  spec: {
    readonly path: string;
    readonly errors?: readonly (ProblemCode | ProblemKind)[];
    readonly query?: unknown;
    readonly params?: unknown;
    readonly rate?: RateClass;
  },
): ProblemKind[] {
  const hasParameters = spec.path.includes('{');
  // the guard hides what the caller may not know of
  const codes: (ProblemCode | ProblemKind)[] = access !== 'public' && hasParameters ? ['not_found'] : [];
  codes.push(...(spec.errors ?? []));
  if (access !== 'public') codes.push('unauthenticated', 'forbidden');
  if (spec.rate !== 'unlimited') codes.push('rate_limited');
  if (hasParameters || spec.query !== undefined) codes.push('malformed_url');
  if (bodyForm !== undefined) {
    codes.push('length_required', 'body_too_large', 'unsupported_media_type', 'request_timeout');
  }
  if (bodyForm === 'json') codes.push('malformed_json');
  if (bodyForm === 'form') codes.push('malformed_form');
  if (bodyForm !== undefined || spec.query !== undefined || spec.params !== undefined) codes.push('invalid_request');
  codes.push('internal');
  const kinds = codes.map((code) => (typeof code === 'string' ? problemKinds[code] : code));
  const unique = new Map(kinds.map((kind) => [kind.code, kind]));
  return [...unique.values()].toSorted((left, right) => left.status - right.status);
}
