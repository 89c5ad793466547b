import { statusLine } from './status-lines.ts';

/** The whole answer to what is no request: there is no listener that could give one. It ends its connection. */
export function malformedAnswer(status: number): string {
  const line = statusLine(status);
  const title = line.slice(line.indexOf(' ') + 1);
  const body = JSON.stringify({ type: 'about:blank', title, status, code: 'malformed_http' });
  return (
    `HTTP/1.1 ${line}\r\ncontent-type: application/problem+json\r\ncache-control: no-store\r\n` +
    `x-content-type-options: nosniff\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}
