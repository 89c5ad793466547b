import { type IncomingMessage, request } from 'node:http';
import { formHeaders } from './oauth-site.ts';

/** Sends a form on a connection of its own, which nobody has closed meanwhile, and answers the JSON that came back. */
export async function sendForm(url: string, form: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = { ...formHeaders, 'content-length': String(Buffer.byteLength(form)) };
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false, headers }, resolve);
    sent.on('error', reject);
    sent.end(form);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Readonly<Record<string, unknown>>;
}

/** The member of an answer that has to be there. */
export function textOf(answer: Readonly<Record<string, unknown>>, name: string): string {
  const value = answer[name];
  if (typeof value === 'string') return value;
  throw new Error(`no ${name} in ${JSON.stringify(answer).slice(0, 300)}`);
}
