/** What was done by the form that has led to a page. */
export const toldOf = {
  profile: 'account.doneProfile',
  'email-asked': 'account.doneEmailAsked',
  'email-again': 'account.doneEmailAgain',
  email: 'account.doneEmail',
  password: 'account.donePassword',
  session: 'account.doneSession',
  sessions: 'account.doneSessions',
  application: 'account.doneApplication',
  factor: 'account.doneFactor',
  'factor-renamed': 'account.doneFactorRenamed',
  'factor-removed': 'account.doneFactorRemoved',
  identity: 'account.doneIdentity',
  'identity-removed': 'account.doneIdentityRemoved',
  delegation: 'agents.doneDelegation',
  'delegation-withdrawn': 'agents.doneWithdrawn',
  elevation: 'agents.doneElevation',
  other: 'account.doneOther',
} as const;

export function isDone(text: string | undefined): text is keyof typeof toldOf {
  return text !== undefined && Object.hasOwn(toldOf, text);
}
