import type { Catalogue } from '../../catalogue.ts';

export const federation: Catalogue['federation'] = {
  refused: 'Sie sind nicht angemeldet',
  refusedText: '{name} hat Sie nicht angemeldet, oder es wurde dort abgebrochen. Es wurde nichts geändert.',
  unreachable: '{name} ist nicht erreichbar',
  unreachableText: 'Versuchen Sie es in ein paar Minuten noch einmal, oder melden Sie sich auf andere Weise an.',
  rejected: 'Das hat nicht geklappt',
  rejectedText:
    'Die Antwort von {name} konnte nicht akzeptiert werden. Beginnen Sie von vorn. Tritt der Fehler wieder auf, nennen Sie dem Support die Anfrage-ID.',
  notAdmitted: 'Ein anderes Konto ist nötig',
  notAdmittedText:
    'Hier sind nur Konten bestimmter Organisationen bei {name} zugelassen. Beginnen Sie mit einem solchen Konto von vorn.',
  misconfigured: '{name} ist nicht richtig eingerichtet',
  misconfiguredText: 'Bitte teilen Sie Ihrer Administration mit, dass die Anmeldung mit {name} fehlschlägt.',
  overBack: 'Gehen Sie zurück zur Anwendung und beginnen Sie dort von vorn.',
  notOffered: 'Diese Möglichkeit ist nicht verfügbar',
  notOfferedText: 'Gehen Sie zurück und melden Sie sich auf andere Weise an.',
  confirmFirst: 'Ihre E-Mail-Adresse ist nicht bestätigt',
  confirmFirstText:
    '{name} hat Ihre E-Mail-Adresse nicht bestätigt. Melden Sie sich wie gewohnt an, oder erstellen Sie mit Ihrer Adresse ein Konto.',
  thenLink: 'Verbinden Sie {name} dann in Ihrem Konto. Danach können Sie sich damit anmelden.',
  linkFirst: 'Sie haben schon ein Konto',
  linkFirstText:
    'Es gibt ein Konto mit dieser E-Mail-Adresse. Melden Sie sich wie gewohnt an, damit sicher ist, dass es Ihres ist.',
  noSignup: 'Sie haben noch kein Konto',
  noSignupText:
    'Über {name} werden keine neuen Konten erstellt. Fragen Sie Ihre Administration danach, oder melden Sie sich auf andere Weise an.',
  noEmail: 'Eine E-Mail-Adresse fehlt',
  noEmailText:
    '{name} hat keine dort bestätigte E-Mail-Adresse mitgeteilt. Erlauben Sie das, oder melden Sie sich auf andere Weise an.',
  taken: 'Schon verbunden',
  takenText: 'Dieses Konto bei {name} ist mit einem anderen Konto hier verbunden. Trennen Sie es zuerst dort.',
  tooMany: 'Zu viele verbundene Konten',
  tooManyText: 'Trennen Sie zuerst ein anderes.',
  chooseWay: 'Anmeldeart wählen',
  toSignIn: 'Zur Anmeldung',
  toAccount: 'Zurück zu Ihrem Konto',
  onTo: 'Weiter zu {name}',
  goOn: 'Weiter',
};
