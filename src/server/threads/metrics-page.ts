/** How old a page of metrics may be. */
const AGE_MAX_MS = 1000;

/** Makes a text at most once in a second, whoever asks. */
export function atMostEachSecond(make: () => string): () => string {
  let text = '';
  let madeAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - madeAt >= AGE_MAX_MS) {
      text = make();
      madeAt = now;
    }
    return text;
  };
}

/**
 * The page of metrics in an acceptor. It is made by the main thread, because reading all cells of all threads would
 * hold up requests. Requests that come meanwhile wait for the same page.
 */
export class RequestedPage {
  readonly #request: () => void;
  #text = '';
  #receivedAt = Number.NEGATIVE_INFINITY;
  #pending: Promise<string> | undefined;
  #settle: ((text: string) => void) | undefined;

  /** @param request asks for the page, which is then handed to `receive` */
  constructor(request: () => void) {
    this.#request = request;
  }

  text(): string | Promise<string> {
    if (performance.now() - this.#receivedAt < AGE_MAX_MS) return this.#text;
    if (this.#pending === undefined) {
      this.#pending = new Promise((resolve) => {
        this.#settle = resolve;
      });
      this.#request();
    }
    return this.#pending;
  }

  receive(text: string): void {
    this.#text = text;
    this.#receivedAt = performance.now();
    this.#settle?.(text);
    this.#pending = this.#settle = undefined;
  }
}
