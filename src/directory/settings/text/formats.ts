import { z } from 'zod';

const URL_LENGTH_MAX = 2048;
const LINE_LENGTH_MAX = 200;

/** One line of text, shown to people or put into the head of a mail: nothing in it can end the line. */
export const line: z.ZodType<string> = z
  .string()
  .min(1)
  .max(LINE_LENGTH_MAX)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line without control characters');

/** A page's picture or link: https, so that it can be neither a script nor a document of its own. */
export const httpsUrl: z.ZodType<string> = z
  .string()
  .max(URL_LENGTH_MAX)
  .refine(isHttpsUrl, 'must be an https URL without a user name');

export const hexColour: z.ZodType<string> = z
  .string()
  .regex(/^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, 'must be a colour such as #1a2b3c');

/** An address that can stand in a mail's head: no quoted parts, no comments, no lists (RFC 5321, 4.1.2, dot-string). */
export const mailAddress: z.ZodType<string> = z
  .string()
  .max(254)
  .regex(
    /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u,
    'must be an email address',
  );

/** A name or address of a host, without a port. */
export const hostName: z.ZodType<string> = z
  .string()
  .max(253)
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/, 'must be a host');

/** Where the service sends requests to. Which schemes and hosts that may be is the outbound guard's to say. */
export const outboundUrl: z.ZodType<string> = z
  .string()
  .max(URL_LENGTH_MAX)
  .refine((text) => !/[\s\p{Cc}]/u.test(text) && URL.canParse(text), 'must be a URL');

/** A name or secret that goes into a header of a request. */
export const headerText: z.ZodType<string> = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII');

const RESOURCE_LENGTH_MAX = 500;

/**
 * What an API is called in tokens: an absolute URI without a fragment (RFC 8707, 2), compared character by character.
 * It has to fit a header.
 */
export const resourceUri: z.ZodType<string> = z
  .string()
  .min(1)
  .max(RESOURCE_LENGTH_MAX)
  .regex(
    /^[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/,
    'must be an absolute URI without a fragment',
  );

function isHttpsUrl(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && text.slice(0, 8).toLowerCase() === 'https://';
}
