import { z } from 'zod';
import { getUser } from '../../../directory/records/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Texts } from '../../../texts/index.ts';
import {
  type CodePurpose,
  type Enrolled,
  type Method,
  phoneNumber,
  RESPONSE_MAX,
  type Refusal,
  type Whose,
} from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import type { Enrolment } from './enrol-page.tsx';

export const methodSchema = z.enum(['totp', 'webauthn', 'sms', 'email']);

/** What the forms of `EnrolForm` send, whoever shows them. */
export const enrolFields = {
  method: methodSchema,
  token: z.string().max(1000).default(''),
  code: z.string().max(100).default(''),
  answer: z.string().max(RESPONSE_MAX).default(''),
  name: z.string().max(1000).default(''),
};

export const sendFields = { method: z.enum(['sms', 'email']), number: z.string().max(100).default('') };

type Sent = z.infer<z.ZodObject<typeof enrolFields>>;

/** @param token of an authenticator app that was offered before: another picture would be another secret */
export async function enrolmentFor(
  { engine, mfa }: SignInDependencies,
  whose: Whose,
  method: Method,
  token = '',
): Promise<Enrolment> {
  switch (method) {
    case 'totp':
      return { method, totp: (token === '' ? undefined : mfa.totp.offerAgain(whose, token)) ?? mfa.totp.offer(whose) };
    case 'webauthn':
      return { method, options: await mfa.registrations.options(whose) };
    default:
      return engine.read(() => {
        const user = getUser(whose.organization.store, whose.userId)?.document;
        return {
          method,
          pending: mfa.codes.pending(whose, method === 'sms' ? { enrol: method, number: '' } : { enrol: method }),
          email: user?.email,
          number: user?.phoneNumber,
        };
      });
  }
}

/** @throws ProblemError 422 where it is not allowed */
export function enrol(
  { mfa }: SignInDependencies,
  whose: Whose,
  { method, token, code, answer, name }: Sent,
  facts: RequestFacts,
): Promise<Enrolled | Refusal> {
  switch (method) {
    case 'totp':
      return mfa.totp.confirm(whose, { token, code, name }, facts);
    case 'webauthn':
      return mfa.registrations.confirm(whose, { answer, name }, facts);
    default:
      return mfa.codes.confirm(whose, method, { code, name }, facts);
  }
}

/** What a code is to be sent for, or what is wrong with the number. */
export function purposeOf(
  t: Texts,
  { method, number }: { readonly method: 'sms' | 'email'; readonly number: string },
): CodePurpose | FormFault {
  if (method === 'email') return { enrol: 'email' };
  const plain = phoneNumber(number);
  if (plain !== undefined) return { enrol: 'sms', number: plain };
  return { field: 'number', message: t('secondFactor.enterPhone') };
}
