import type { Catalogue } from '../catalogue.ts';

export const problems: Catalogue['problems'] = {
  usual:
    'Gehen Sie zurück und versuchen Sie es noch einmal. Tritt der Fehler wieder auf, nennen Sie dem Support die Anfrage-ID.',
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Prüfen Sie die Adresse, oder gehen Sie zur vorigen Seite zurück.',
  invalidRequest: 'Ungültige Anfrage',
  methodNotAllowed: 'Diese Seite kann nicht geöffnet werden',
  methodNotAllowedText: 'Diese Adresse nimmt nur Formulare entgegen. Gehen Sie zurück zur vorigen Seite.',
  malformedUrl: 'Ungültige Adresse',
  forbidden: 'Das ist nicht erlaubt',
  rateLimited: 'Zu viele Anfragen',
  rateLimitedText: 'Warten Sie einen Moment und versuchen Sie es dann noch einmal.',
  conflict: 'Inzwischen hat sich etwas geändert',
  conflictText: 'Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  unavailable: 'Vorübergehend nicht verfügbar',
  unavailableText: 'Es wurde nichts geändert. Versuchen Sie es in einer Minute noch einmal.',
  mailFailed: 'Die E-Mail konnte nicht gesendet werden',
  mailFailedText: 'Versuchen Sie es in einer Minute noch einmal oder wenden Sie sich an den Support.',
  internal: 'Etwas ist schiefgegangen',
  internalText: 'Versuchen Sie es noch einmal. Tritt der Fehler wieder auf, nennen Sie dem Support die Anfrage-ID.',
  bodyTooLarge: 'Zu viele Daten',
  bodyTooLargeText: 'Gehen Sie zurück und kürzen Sie Ihre Eingabe.',
  refused: 'Das ist nicht möglich',
  signInOver: 'Diese Anmeldung ist abgelaufen',
  signInOverText:
    'Sie hat zu lange gedauert, ist schon abgeschlossen oder wurde in einem anderen Browser begonnen. Bitte beginnen Sie von vorn.',
  signInOverNoCookies:
    'Sie wurde in einem anderen Browser begonnen, oder dieser Browser blockiert Cookies. Erlauben Sie Cookies für diese Website und beginnen Sie von vorn.',
  linkOver: 'Dieser Link ist abgelaufen',
  linkOverText: 'Er wurde schon verwendet oder ist zu alt. Fordern Sie einen neuen an.',
  formOver: 'Dieses Formular ist abgelaufen',
  formOverText:
    'Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular noch einmal ab. Cookies müssen für diese Website erlaubt sein.',
  accountUnusable: 'Dieses Konto kann zurzeit nicht verwendet werden',
  accountUnusableText: 'Wenn Sie das für einen Fehler halten, wenden Sie sich an Ihre Administration.',
};
