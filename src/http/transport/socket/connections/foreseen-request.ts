import type { ExchangePool, SocketExchange } from './socket-exchange.ts';

/** A request of one connection, whose head was read before its octets arrived. */
export class ForeseenRequest {
  #exchange: SocketExchange | undefined = undefined;
  /** Where its head stands. */
  #octets: Buffer | undefined = undefined;
  #from = 0;

  /**
   * @param until where a head has to end. @param to where what has come ends
   * @returns the request, where its head is all there and well-formed: all else is found again when it arrives
   */
  read(exchanges: ExchangePool, octets: Buffer, from: number, until: number, to: number): SocketExchange | undefined {
    const exchange = exchanges.take();
    if (exchange.head.parse(octets, from, until) <= 0) {
      exchanges.giveBack(exchange);
      return undefined;
    }
    const { end, bodyLength } = exchange.head;
    exchange.bodyAt(octets, end, bodyLength > 0 && end + bodyLength <= to ? end + bodyLength : end);
    this.#exchange = exchange;
    this.#octets = octets;
    this.#from = from;
    return exchange;
  }

  /** The request, if it is what arrives now. It is given once, and forgotten by whatever else arrives. */
  take(octets: Buffer, from: number): SocketExchange | undefined {
    const exchange = this.#exchange;
    if (exchange === undefined) return undefined;
    this.#exchange = undefined;
    return octets === this.#octets && from === this.#from ? exchange : undefined;
  }

  /** Its octets are gone. */
  forget(): void {
    this.#exchange = undefined;
  }
}
