import type { Background, Log } from '../../platform/index.ts';

/** How old a page of metrics may be. */
const AGE_MAX_MS = 1000;

/** Makes the page at most once in a second, whoever asks; `undefined` where it cannot be made. */
export function atMostEachSecond(make: () => string, log: Log): () => string | undefined {
  let text = '';
  let madeAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - madeAt < AGE_MAX_MS) return text;
    try {
      text = make();
    } catch (error) {
      log.error({ error }, 'the page of metrics could not be made');
      return undefined;
    }
    madeAt = now;
    return text;
  };
}

/** How long an acceptor waits for a page. */
const WAIT_MAX_MS = 5000;

/**
 * The page of metrics in an acceptor. It is made by the main thread, because reading all cells of all threads would
 * hold up requests. Requests that come meanwhile wait for the same page; where it does not come in time, the next
 * request asks anew.
 */
export class RequestedPage {
  readonly #request: () => void;
  readonly #background: Background;
  readonly #waitMaxMs: number;
  #text = '';
  #receivedAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<string | undefined> | undefined;
  #settle: ((text: string | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param request asks for the page, which is then handed to `receive` */
  constructor(request: () => void, background: Background, waitMaxMs = WAIT_MAX_MS) {
    this.#request = request;
    this.#background = background;
    this.#waitMaxMs = waitMaxMs;
  }

  /** `undefined` where the page could not be made, or not in time. */
  text(): string | Promise<string | undefined> {
    if (performance.now() - this.#receivedAt < AGE_MAX_MS) return this.#text;
    if (this.#pending !== undefined) return this.#pending;
    const pending = new Promise<string | undefined>((resolve) => {
      this.#settle = resolve;
    });
    this.#pending = pending;
    const giveUp = (): void => this.#end(undefined);
    this.#timer = setTimeout(this.#background.guarded('sampler', giveUp), this.#waitMaxMs);
    this.#request();
    return pending;
  }

  /** @param text `undefined` where the page could not be made */
  receive(text: string | undefined): void {
    if (text !== undefined) {
      this.#text = text;
      this.#receivedAt = performance.now();
    }
    this.#end(text);
  }

  #end(text: string | undefined): void {
    clearTimeout(this.#timer);
    this.#settle?.(text);
    this.#pending = this.#settle = undefined;
  }
}
