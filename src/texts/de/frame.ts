import type { Catalogue } from '../catalogue.ts';

export const frame: Catalogue['frame'] = {
  needHelp: 'Brauchen Sie Hilfe?',
  oneMoment: 'Einen Moment',
  takenOn: 'Sie werden weitergeleitet. Falls nichts passiert: {link}.',
  takenOnLink: 'weiter',
  backToApplication: 'Damit kommen Sie zurück zur Anwendung.',
  requestNumber: 'Anfrage-ID:',
  toSignIn: 'Anmelden oder zum Konto',
  skip: 'Zum Inhalt springen',
  showPassword: 'Passwort anzeigen',
};
