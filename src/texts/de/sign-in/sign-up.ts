import type { Catalogue } from '../../catalogue.ts';

export const signUp: Catalogue['signUp'] = {
  title: 'Konto erstellen',
  hint: 'Wir senden Ihnen per E-Mail einen Link, mit dem es weitergeht.',
  haveAccount: 'Sie haben schon ein Konto?',
  closed: 'Konten werden hier von der Administration angelegt. Fragen Sie dort nach einem.',
  completeTitle: 'Ihr Konto erstellen',
  for: 'für {email}',
  name: 'Ihr Name',
  create: 'Konto erstellen',
  newPasswordTitle: 'Neues Passwort wählen',
  newPasswordReason: 'Sie brauchen ein neues Passwort, bevor es weitergeht. Überall sonst werden Sie abgemeldet.',
  profileTitle: 'Profil vervollständigen',
  profileText: 'Einige Angaben fehlen noch.',
  givenName: 'Vorname',
  familyName: 'Nachname',
  enterGivenName: 'Geben Sie Ihren Vornamen ein.',
  enterFamilyName: 'Geben Sie Ihren Nachnamen ein.',
  notNow: 'Jetzt nicht',
};
