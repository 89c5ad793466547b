import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import type { Connection } from '../connection/connection.ts';
import { readServerEvents } from './server-events.ts';

/** An event as the service tells it to administrators. */
export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Where to go on after it. */
  readonly cursor: string;
}

interface EventPage {
  readonly events: readonly ToldEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

const REQUEST_MS = 30_000;
const RETRY_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** Answers that another try would get again. */
const FINAL = new Set([400, 401, 403, 404, 410]);

/** Reads an organization's events from a service that runs, each once: what was read is not read again. */
export class EventSource {
  readonly #connection: Connection;
  #cursor: string | undefined;

  /** @param after the cursor to begin after */
  constructor(connection: Connection, after: string | undefined) {
    this.#connection = connection;
    this.#cursor = after;
  }

  /** @throws CliError where the organization cannot be read */
  async organizationId(): Promise<string> {
    const answer = await this.#get('organization', '', AbortSignal.timeout(REQUEST_MS));
    const { data } = (await answer.json()) as { data: { id: string } };
    return data.id;
  }

  /**
   * Begins after the last event that there is, unless it is known where to begin: what happens from then on is read
   * even where the connection is lost before the first event.
   * @throws CliError where the organization cannot be read
   */
  async beginNow(): Promise<void> {
    this.#cursor ??= (await this.#page('?after=latest')).cursor;
  }

  /** What is kept, from the oldest on. */
  async *kept(): AsyncGenerator<ToldEvent> {
    for (;;) {
      const page = await this.#page(this.#search());
      yield* page.events;
      this.#cursor = page.cursor;
      if (!page.hasMore) return;
    }
  }

  /** What happens from then on, without end: where the connection is lost, it is made again. */
  async *live(signal: AbortSignal, lost: (reason: string) => void): AsyncGenerator<ToldEvent> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const answer = await this.#get('events', this.#search(), signal, 'text/event-stream');
        for await (const { event, data } of readServerEvents(answer)) {
          if (event === 'error') throw new CliError(`the service ended the stream: ${data}`);
          failures = 0;
          const told = JSON.parse(data) as ToldEvent;
          this.#cursor = told.cursor;
          yield told;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CliError) throw error;
        lost((error as Error).message);
      }
      await sleep(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures), undefined, { signal }).catch(() => {});
    }
  }

  async #page(search: string): Promise<EventPage> {
    const answer = await this.#get('events', search, AbortSignal.timeout(REQUEST_MS));
    return ((await answer.json()) as { data: EventPage }).data;
  }

  #search(): string {
    return this.#cursor === undefined ? '' : `?after=${encodeURIComponent(this.#cursor)}`;
  }

  /** @throws CliError where the service refuses; another error where it may answer later */
  async #get(path: string, search: string, signal: AbortSignal, accept = 'application/json'): Promise<Response> {
    const { url, org, key } = this.#connection;
    const answer = await fetch(`${url}/t/${encodeURIComponent(org)}/api/v1/admin/${path}${search}`, {
      headers: { authorization: `Bearer ${key}`, accept },
      signal,
      redirect: 'error',
    });
    if (answer.ok) return answer;
    const { detail = '' } = (await answer.json().catch(() => ({}))) as { detail?: string };
    const reason = `${url} answered ${answer.status}${detail === '' ? '' : `: ${detail}`}`;
    throw FINAL.has(answer.status) ? new CliError(reason) : new Error(reason);
  }
}
