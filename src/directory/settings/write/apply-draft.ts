import { fitsTemplate, type TemplateValues, templateValues } from '../truth/password-templates.ts';
import { fieldAt, type Group, type Settings } from '../truth/settings.ts';
import type { Draft } from '../views/view.ts';

/** Seals a secret for the organization whose settings these are. */
export type SealSetting = (group: Group, name: string, plain: string) => string;

/** The settings after a write. */
export function applyDraft(before: Settings, draft: Draft, seal: SealSetting): Settings {
  const after = copyOf(before);
  for (const { group, name, value } of [...draft.values, ...templateOf(draft)]) {
    const isSealed = fieldAt(group, name).isSecret && typeof value === 'string';
    after[group][name] = isSealed ? seal(group, name, value) : value;
  }
  // every value passed the schema of its field
  return settled(after as unknown as Settings, draft);
}

type Changing = Record<Group, Record<string, unknown>>;

function copyOf(settings: Settings): Changing {
  const entries = Object.entries(settings).map(([group, values]) => [group, { ...values }]);
  return Object.fromEntries(entries) as Changing; // the same groups
}

const governed = Object.keys(templateValues.basic) as (keyof TemplateValues)[];

/** A template that is named brings its values, except where the draft names one itself. */
function templateOf(draft: Draft): Draft['values'] {
  const chosen = draft.values.find(({ group, name }) => group === 'passwordPolicy' && name === 'template')?.value;
  if (!draft.named.has('passwordPolicy.template') || chosen === 'custom') return [];
  const values = templateValues[chosen as keyof typeof templateValues];
  const open = governed.filter((name) => !draft.named.has(`passwordPolicy.${name}`));
  return open.map((name) => ({ group: 'passwordPolicy', name, value: values[name] }));
}

/** What follows from the values together. */
function settled(after: Settings, draft: Draft): Settings {
  let { passwordPolicy, email } = after;
  if (!fitsTemplate(passwordPolicy.template, passwordPolicy))
    passwordPolicy = { ...passwordPolicy, template: 'custom' };
  // without a server there is nothing that the password could belong to
  if (email.smtpHost === null && !draft.named.has('email.smtpPassword')) email = { ...email, smtpPassword: null };
  const { sms } = after;
  const isKept = (name: 'password' | 'token'): boolean => sms.url !== null || draft.named.has(`sms.${name}`);
  return {
    ...after,
    passwordPolicy,
    email,
    sms: {
      ...sms,
      password: isKept('password') ? sms.password : null,
      token: isKept('token') ? sms.token : null,
    },
  };
}
