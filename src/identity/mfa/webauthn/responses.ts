import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';

/** Most of an answer as JSON that a form brings: an attestation object with a certificate chain is some kilobytes. */
export const RESPONSE_MAX = 16 * 1024;

const base64url = z.string().regex(/^[A-Za-z0-9_-]*$/);
const credentialId = base64url.min(1).max(1364);
const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
};

/** Browsers send more members than are read; those are dropped. */
const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(10).optional().catch(undefined),
  }),
});

const assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.max(100).nullish(),
  }),
});

/** `undefined`: it is no answer of an authenticator. */
export function readRegistration(text: string): RegistrationResponseJSON | undefined {
  const found = parsed(registration, text);
  if (found === undefined) return undefined;
  const { transports, ...response } = found.response;
  return {
    ...idOf(found),
    response: { ...response, ...(transports === undefined ? {} : { transports }) },
  };
}

export function readAssertion(text: string): AuthenticationResponseJSON | undefined {
  const found = parsed(assertion, text);
  if (found === undefined) return undefined;
  const { userHandle, ...response } = found.response;
  return { ...idOf(found), response: { ...response, ...(userHandle == null ? {} : { userHandle }) } };
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    const found = schema.safeParse(JSON.parse(text));
    return found.success ? found.data : undefined;
  } catch {
    return undefined;
  }
}

function idOf({ id, rawId, type, authenticatorAttachment }: z.infer<typeof assertion> | z.infer<typeof registration>) {
  const attachment = authenticatorAttachment === undefined ? {} : { authenticatorAttachment };
  return { id, rawId, type, ...attachment, clientExtensionResults: {} };
}
