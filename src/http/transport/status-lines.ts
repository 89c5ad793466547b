import { STATUS_CODES } from 'node:http';

const lines: string[] = [];
for (const [code, text] of Object.entries(STATUS_CODES)) lines[Number(code)] = `${code} ${text}`;

/** `404 Not Found`, as it stands in a status line. */
export function statusLine(status: number): string {
  return lines[status] ?? `${status} Unknown`;
}

/** Whether an answer of this status has no body and no length (RFC 9110, 8.6). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}
