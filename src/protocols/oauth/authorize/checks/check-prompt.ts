import { optionOf } from '../../clients/index.ts';
import { oauthError } from '../../errors/index.ts';
import { type Prompt, promptsWhere } from '../request/authorization-request.ts';
import type { Check } from './check.ts';

/** OpenID Connect Core, 3.1.2.1. */
export const checkPrompt: Check = ({ parameters, allowSignup }) => {
  const served = promptsWhere(allowSignup);
  const said = [
    ...new Set(
      parameters
        .one('prompt')
        ?.split(' ')
        .filter((value) => value !== '') ?? [],
    ),
  ];
  const prompts = said.flatMap((value): Prompt[] => served.filter((each) => each === value));
  if (prompts.length < said.length) {
    throw oauthError('invalid_request', `prompt must be made of ${served.join(', ')}.`);
  }
  if (prompts.includes('none') && prompts.length > 1) {
    throw oauthError('invalid_request', 'prompt=none cannot be combined with other values.');
  }
  return { prompts };
};

const AGE_MAX_S = 10 * 365 * 24 * 60 * 60;

/** What the client is registered with counts where the request says nothing. */
export const checkMaxAge: Check = ({ parameters, client }) => {
  const said = parameters.one('max_age');
  if (said === undefined) {
    const defaultMaxAge = optionOf(client.document, 'defaultMaxAge');
    return defaultMaxAge === null ? {} : { maxAge: defaultMaxAge };
  }
  if (!/^\d{1,10}$/.test(said)) throw oauthError('invalid_request', 'max_age must be a number of seconds.');
  return { maxAge: Math.min(Number(said), AGE_MAX_S) };
};
