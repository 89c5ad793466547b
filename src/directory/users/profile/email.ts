import { z } from 'zod';

/** RFC 5321, 4.5.3.1.3 leaves 254 bytes for an address. */
export const EMAIL_BYTES_MAX = 254;
const LOCAL_BYTES_MAX = 64;
const LABEL_BYTES_MAX = 63;

/** RFC 5322, 3.2.3 (atoms and dots) with RFC 6532: quoted local parts and comments are refused, as mail services do. */
const local = /^[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*$/u;
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;

/** An address as people have one: `name@host.domain`, in any script. */
export const emailSchema: z.ZodType<string> = z
  .string()
  .max(EMAIL_BYTES_MAX, `must have at most ${EMAIL_BYTES_MAX} bytes`)
  .refine((text) => Buffer.byteLength(text) <= EMAIL_BYTES_MAX, `must have at most ${EMAIL_BYTES_MAX} bytes`)
  .refine(isEmail, 'must be an email address');

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    Buffer.byteLength(text.slice(0, at)) <= LOCAL_BYTES_MAX &&
    local.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((each) => Buffer.byteLength(each) <= LABEL_BYTES_MAX && label.test(each))
  );
}
