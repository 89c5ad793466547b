import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Answer } from '../../../server/running-service.ts';
import type { Provider } from './provider.ts';

/**
 * Asks with a head that is written as it stands: a target that `fetch` would encode, or a length of what is not sent.
 */
export async function rawRequest(
  scim: Provider,
  method: string,
  path: string,
  headers: readonly string[] = [],
): Promise<Answer> {
  const { hostname, port } = new URL(scim.baseUrl);
  const socket = connect(Number(port), hostname);
  const head = [
    `${method} ${scim.basePath}${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${scim.token}`,
    'connection: close',
    ...headers,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [first = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  const [status = '', ...lines] = first.split('\r\n');
  const pairs = lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.replace(/^[^:]*: */, '')]);
  const json = /\{[\s\S]*\}/.exec(rest.join('\r\n\r\n'))?.[0];
  return new Answer(Number(status.split(' ')[1]), json === undefined ? '' : JSON.parse(json), new Headers(pairs));
}
