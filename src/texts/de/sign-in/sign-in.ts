import type { Catalogue } from '../../catalogue.ts';

export const signIn: Catalogue['signIn'] = {
  title: 'Anmelden',
  toContinueTo: 'weiter zu {application}',
  noWay: 'Eine Anmeldung ist hier zurzeit nicht möglich. Wenden Sie sich an Ihre Administration.',
  identifier: 'E-Mail oder Benutzername',
  email: 'E-Mail',
  password: 'Passwort',
  continue: 'Weiter',
  submit: 'Anmelden',
  sendLink: 'Anmeldelink per E-Mail senden',
  or: 'oder',
  continueWith: 'Weiter mit {provider}',
  forgot: 'Passwort vergessen?',
  noAccount: 'Noch kein Konto?',
  createAccount: 'Konto erstellen',
  enterEmail: 'Geben Sie Ihre E-Mail-Adresse ein.',
  enterValidEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel name@example.com.',
  wayClosed: 'Diese Art der Anmeldung ist hier nicht verfügbar.',
  enterPassword: 'Geben Sie Ihr Passwort ein.',
  wrong: 'E-Mail oder Passwort ist falsch.',
  wrongOrNone:
    'E-Mail oder Passwort ist falsch. Wenn Sie noch kein Passwort festgelegt haben, finden Sie in Ihren E-Mails einen Link.',
  locked: {
    one: 'Zu viele Fehlversuche. Versuchen Sie es in einer Minute noch einmal, um {time}.',
    other: 'Zu viele Fehlversuche. Versuchen Sie es in {count} Minuten noch einmal, um {time}.',
  },
};
