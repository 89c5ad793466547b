import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from '../cli-error.ts';
import type { Connection } from './connection.ts';

/** What a service has said, and means: another try would be answered in the same way. */
export interface ServiceAnswer {
  readonly status: number;
  /** The parsed body; empty where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One fault that an answer names: `writes[3].object`. */
export interface NamedFault {
  readonly path: string;
  readonly message: string;
}

export interface ServiceClientOptions {
  /** How long a request that another try may help is tried again. */
  readonly patienceMs?: number;
  /** Told before each wait. */
  readonly waiting?: (reason: string) => void;
}

const REQUEST_MS = 120_000;
const PATIENCE_MS = 300_000;
const WAIT_MS = 500;
const WAIT_MAX_MS = 30_000;
/** Answers that another try may change: a write that another one was faster than, too much at once, a restart. */
const PASSING = new Set([409, 429, 500, 502, 503, 504]);

/**
 * Requests to one organization of a service. A lost connection and an answer that may pass are tried again, so each
 * request must do no harm when it arrives twice.
 */
export class ServiceClient {
  readonly #connection: Connection;
  readonly #options: ServiceClientOptions;
  #hasAnswered = false;

  constructor(connection: Connection, options: ServiceClientOptions = {}) {
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * @param path below the organization: `/zanzibar/tuples`
   * @param body as JSON
   * @throws CliError where the service cannot be reached, or goes on refusing for a reason of its own
   */
  async call(method: 'GET' | 'POST', path: string, body?: string): Promise<ServiceAnswer> {
    const { patienceMs = PATIENCE_MS, waiting } = this.#options;
    const until = Date.now() + patienceMs;
    for (let wait = WAIT_MS; ; wait = Math.min(wait * 2, WAIT_MAX_MS)) {
      const outcome = await this.#once(method, path, body);
      if (!('reason' in outcome)) return outcome;
      const ms = outcome.afterMs ?? wait;
      // an address at which nothing has ever answered is wrong more often than late
      if (!this.#hasAnswered || Date.now() + ms > until) throw new CliError(outcome.reason, EXIT.failed);
      waiting?.(`${outcome.reason}; trying again in ${Math.ceil(ms / 1000)} s`);
      await sleep(ms);
    }
  }

  /** `https://relata.example answered 403: Creating it needs the permission groups.create.` */
  refusal(answer: ServiceAnswer): string {
    return refusalText(this.#connection, answer);
  }

  async #once(
    method: string,
    path: string,
    body: string | undefined,
  ): Promise<ServiceAnswer | { readonly reason: string; readonly afterMs?: number | undefined }> {
    const { url, org, key } = this.#connection;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}/t/${encodeURIComponent(org)}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
        redirect: 'error',
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      text = await response.text();
    } catch (error) {
      const { message, cause } = error as Error & { readonly cause?: Error };
      return { reason: `${url} cannot be reached: ${cause?.message || message}` };
    }
    this.#hasAnswered = true;
    const answer = { status: response.status, body: objectOf(text) };
    if (!PASSING.has(answer.status)) return answer;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      reason: refusalText(this.#connection, answer),
      afterMs: seconds >= 0 ? Math.max(seconds * 1000, WAIT_MS) : undefined,
    };
  }
}

/** The faults that a problem names. */
export function faultsOf({ body }: ServiceAnswer): readonly NamedFault[] {
  if (!Array.isArray(body.errors)) return [];
  return body.errors.flatMap((each: Partial<NamedFault> | null) =>
    typeof each?.path === 'string' ? [{ path: each.path, message: String(each.message) }] : [],
  );
}

function refusalText({ url, org }: Connection, { status, body }: ServiceAnswer): string {
  const { detail } = body;
  if (typeof detail === 'string' && detail !== '') return `${url} answered ${status}: ${detail}`;
  return `${url} answered ${status}: is this the address of Relata, and ${org} an organization of it?`;
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
