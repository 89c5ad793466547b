import type { Catalogue } from '../catalogue.ts';

export const agents: Catalogue['agents'] = {
  agents: 'Agenten',
  lead: 'Programme, die für Sie handeln oder Ihre Berechtigungen nutzen.',
  yourAgents: 'Ihre Agenten',
  requests: 'Anfragen',
  requestsWaiting: { one: 'offene Anfrage', other: 'offene Anfragen' },
  signedOut: 'Sie wurden inzwischen abgemeldet.',

  doneDelegation:
    'Der Agent kann jetzt für Sie handeln. Geben Sie seinem Betreiber die ID der Vollmacht, die unten steht.',
  doneWithdrawn: 'Der Agent kann nicht mehr für Sie handeln.',
  doneElevation: 'Beendet. Der Agent kann diese Berechtigungen nicht mehr nutzen.',

  lent: 'Verliehene Berechtigungen',
  lentHint: 'Diese Agenten können Ihre Berechtigungen bis zur angegebenen Zeit nutzen.',
  lentNone: 'Sie verleihen derzeit keine Berechtigungen.',
  onAll: 'Für alle Ressourcen',
  onResources: { one: 'Für {count} Ressource', other: 'Für {count} Ressourcen' },
  since: 'Seit {time}',
  until: 'Bis {time}',
  whatFor: 'Wofür',
  endNow: 'Jetzt beenden',

  delegations: 'Agenten, die für Sie handeln',
  delegationsHint: 'Jeder darf nur, was hier steht, und nur, was sowohl Sie als auch der Agent dürfen.',
  delegationsNone: 'Kein Agent handelt für Sie.',
  atMost: 'Beschränkt auf {permissions}',
  onlyOn: 'Nur für diese Ressourcen:',
  delegationId: 'ID der Vollmacht, die der Agent für seine Tokens braucht: {id}',
  withdraw: 'Entziehen',
  withdrawQuestion: 'Der Agent kann dann nicht mehr für Sie handeln.',
  withdrawNow: 'Jetzt entziehen',
  delegate: 'Einen Agenten für sich handeln lassen',
  delegateLead:
    'Der Agent kann dann in Ihrem Namen handeln. Er darf nur, was Sie hier wählen, und nur, was sowohl Sie als auch der Agent dürfen.',
  agent: 'Agent',
  agentHint: 'Name oder ID des Agenten. Fragen Sie, wer ihn betreibt.',
  mayAtMost: 'Was er höchstens darf',
  noPermissions: 'Sie haben derzeit keine Berechtigungen.',
  otherPermissions: 'Weitere Berechtigungen',
  otherPermissionsHint:
    'Vielleicht haben Sie mehr Berechtigungen, als hier stehen. Geben Sie eine je Zeile ein, zum Beispiel docs:read.',
  onlyFor: 'Nur für diese Ressourcen',
  onlyForHint: 'Optional. Geben Sie eine je Zeile ein, zum Beispiel document:plan. Leer bedeutet alle.',
  howLong: 'Wie lange',
  delegateNow: 'Für mich handeln lassen',
  noAgent: 'Es gibt keinen aktiven Agenten mit diesem Namen oder dieser ID.',
  severalAgents: 'Mehrere Agenten haben diesen Namen. Geben Sie die ID ein.',
  onePermission: 'Wählen Sie mindestens eine Berechtigung.',
  permissionsMax: {
    one: 'Wählen Sie höchstens {count} Berechtigung.',
    other: 'Wählen Sie höchstens {count} Berechtigungen.',
  },
  noResource: '„{text}“ ist keine Ressource. Geben Sie einen Typ und eine ID ein, zum Beispiel document:plan.',
  resourcesMax: {
    one: 'Geben Sie höchstens {count} Ressource ein.',
    other: 'Geben Sie höchstens {count} Ressourcen ein.',
  },
};
