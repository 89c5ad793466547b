import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { invalidRequest, Problem, problem } from '../problems/problem.ts';
import type { ActiveCall } from '../routing/call.ts';
import { type Endpoint, plainTextType } from '../routing/endpoint.ts';
import { acceptsType } from './content-type.ts';
import { fieldErrors } from './field-errors.ts';
import { issueText, queryIssueText } from './issue-text.ts';
import { parseJson } from './json/parse-json.ts';
import { parseForm, parseParameters } from './parse-query.ts';

export interface InputLimits {
  readonly bodyBytes: number;
  readonly jsonDepth: number;
  readonly queryParameters: number;
  readonly validationErrors: number;
}

/**
 * Reads path, query and body into the call, in that order; the first that is not valid is the answer.
 * @param copied the body, where this is not the turn of the request
 */
export function decodeInput(call: ActiveCall, copied: Buffer | undefined, limits: InputLimits): Problem | undefined {
  const { endpoint } = call;
  if (endpoint.params !== undefined) {
    const params = check(endpoint.params, call.params, 'path', limits);
    if (params instanceof Problem) return params;
    call.params = params as Readonly<Record<string, string>>;
  }
  if (endpoint.query !== undefined) {
    const parameters = parseParameters(call.request.query, limits.queryParameters);
    if (parameters instanceof Problem) return parameters;
    const query = check(endpoint.query, parameters, 'query', limits);
    if (query instanceof Problem) return query;
    call.query = query;
  }
  if (endpoint.bodyForm === undefined || scanBody(call, endpoint, copied)) return undefined;
  return decodeBody(call, endpoint, copied ?? call.request.body, limits);
}

/** Takes a body in its usual form from its text alone. Whatever else it may be is left to `decodeBody`. */
function scanBody(call: ActiveCall, endpoint: Endpoint, copied: Buffer | undefined): boolean {
  const { bodyForm, scan, accepts, plainText } = endpoint;
  if (scan === undefined || bodyForm !== 'json' || plainText !== undefined) return false;
  if (!isUsualType(call, accepts)) return false;
  const scanned = scan(copied === undefined ? call.request.bodyText() : copied.toString('latin1'));
  if (scanned === undefined) return false;
  call.body = scanned;
  return true;
}

/** Of one head it is one answer, as there is one endpoint for it. */
function isUsualType(call: ActiveCall, accepts: readonly string[]): boolean {
  const { notes } = call;
  const known = notes?.isUsualType;
  if (known !== undefined) return known;
  const isUsual = acceptsType(call.header('content-type'), accepts);
  if (notes !== undefined) notes.isUsualType = isUsual;
  return isUsual;
}

function decodeBody(call: ActiveCall, endpoint: Endpoint, body: Buffer, limits: InputLimits): Problem | undefined {
  if (body.length === 0 && endpoint.bodyOptional) return checkBody(call, endpoint, undefined, limits);
  const isPlainText = endpoint.plainText !== undefined && acceptsType(call.header('content-type'), [plainTextType]);
  if (body.length === 0 && endpoint.bodyForm === 'json') {
    return problem(isPlainText ? 'invalid_request' : 'malformed_json', 'The body is empty.');
  }
  if (!acceptsType(call.header('content-type'), endpoint.accepts)) {
    return problem('unsupported_media_type', `Content-Type must be ${endpoint.accepts.join(' or ')}.`);
  }
  if (isPlainText) {
    if (!isUtf8(body)) return problem('invalid_request', 'The body is not valid UTF-8.');
    return checkBody(call, endpoint, endpoint.plainText?.(body.toString('utf8')), limits);
  }
  switch (endpoint.bodyForm) {
    case 'bytes':
      // a copy: the transport takes the original back when the handler returns
      call.body = Buffer.from(body);
      return undefined;
    case 'form': {
      const fieldsMax = endpoint.fieldsMax ?? limits.queryParameters;
      const read = endpoint.formReader?.(body.toString('latin1'), fieldsMax);
      if (read !== undefined) {
        call.body = read;
        return undefined;
      }
      const parameters = parseForm(body, fieldsMax);
      return parameters instanceof Problem ? parameters : checkBody(call, endpoint, parameters, limits);
    }
    default: {
      const parsed = parseJson(body, { depth: limits.jsonDepth });
      if (!parsed.ok) return encodedBody(call) ?? parsed.problem;
      const fast = endpoint.fast?.(parsed.value);
      if (fast === undefined) return checkBody(call, endpoint, parsed.value, limits);
      call.body = fast;
      return undefined;
    }
  }
}

/** Why a body is no JSON: it is compressed. Only asked then, since no compressed body is valid JSON. */
function encodedBody(call: ActiveCall): Problem | undefined {
  const coding = call.header('content-encoding');
  if (coding === '' || coding.toLowerCase() === 'identity') return undefined;
  return problem('unsupported_media_type', 'Content-Encoding is not supported: send the body without compression.');
}

function checkBody(call: ActiveCall, endpoint: Endpoint, value: unknown, limits: InputLimits): Problem | undefined {
  const body = endpoint.body === undefined ? value : check(endpoint.body, value, 'body', limits);
  if (body instanceof Problem) return body;
  call.body = body;
  return undefined;
}

/** What the schema makes of a value, or the problem of one that does not fit. */
function check(schema: z.ZodType, value: unknown, part: 'body' | 'query' | 'path', limits: InputLimits): unknown {
  const result = schema.safeParse(value, { error: part === 'query' ? queryIssueText : issueText });
  if (result.success) return result.data;
  return invalidRequest(fieldErrors(result.error, part, limits.validationErrors, schema));
}
