import type { Catalogue } from '../catalogue.ts';

export const mails: Catalogue['mails'] = {
  ignore:
    'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Es geschieht nichts, solange Sie dem Link nicht folgen.',
  magicSubject: 'Ihr Anmeldelink',
  magicText: 'Mit diesem Link melden Sie sich an. Er funktioniert einmal.',
  magicLabel: 'Anmelden',
  signupSubject: 'Schließen Sie Ihre Registrierung ab',
  signupText:
    'Folgen Sie diesem Link, um Ihre E-Mail-Adresse zu bestätigen und Ihr Konto fertig zu erstellen. Er funktioniert einmal.',
  signupLabel: 'Weiter',
  resetSubject: 'Neues Passwort festlegen',
  resetText: 'Mit diesem Link legen Sie ein neues Passwort fest. Er funktioniert einmal, eine Stunde lang.',
  resetLabel: 'Neues Passwort festlegen',
  firstSubject: 'Legen Sie Ihr Passwort fest',
  firstText:
    'Jemand, vermutlich Sie, wollte sich mit einem Passwort anmelden, aber Ihr Konto hat noch keines. Mit diesem Link legen Sie es fest. Er funktioniert einmal, eine Stunde lang.',
  firstLabel: 'Passwort festlegen',
  memberSubject: 'Sie haben schon ein Konto',
  memberText:
    'Jemand, vermutlich Sie, wollte mit dieser E-Mail-Adresse ein Konto erstellen. Sie haben schon eines: Melden Sie sich damit an.',
  memberForgot: 'Wenn Sie Ihr Passwort vergessen haben, können Sie auf der Anmeldeseite ein neues festlegen.',
  memberLabel: 'Anmelden',
  adminResetText:
    'Ihre Administration lässt Ihnen diesen Link senden, mit dem Sie ein neues Passwort festlegen. Er funktioniert einmal, eine Stunde lang.',
  unexpected: 'Wenn Sie das nicht erwartet haben: Es geschieht nichts, solange Sie dem Link nicht folgen.',
  verifySubject: 'Bestätigen Sie Ihre E-Mail-Adresse',
  verifyText:
    'Bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört. Der Link funktioniert einmal, einen Tag lang.',
  verifyIgnore: 'Wenn Sie hier kein Konto haben, können Sie diese E-Mail ignorieren.',
  verifyLabel: 'E-Mail-Adresse bestätigen',
  changeSubject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  changeText:
    'Jemand möchte diese Adresse für ein Konto verwenden. Wenn Sie das waren, bestätigen Sie sie innerhalb einer Stunde, in dem Browser, in dem Sie angemeldet sind.',
  changeIgnore: 'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.',
  inUseSubject: 'Ihre E-Mail-Adresse',
  inUseHeading: 'Diese Adresse hat schon ein Konto',
  inUseText:
    'Jemand möchte diese Adresse für ein anderes Konto verwenden. Es wurde nichts geändert, denn ein Konto verwendet sie hier schon.',
  inUseInstead: 'Wenn Sie das waren, melden Sie sich mit jenem Konto an.',
  changedSubject: 'Ihre E-Mail-Adresse wurde geändert',
  changedText:
    'Ihr Konto verwendet diese Adresse nicht mehr. Wenn Sie das nicht veranlasst haben, wenden Sie sich sofort an den Support: Jemand anderes ist in Ihrem Namen angemeldet.',
  codeSubject: 'Ihr Anmeldecode',
  codeText: 'Das ist Ihr Code für {organization}. Er funktioniert einmal, fünf Minuten lang.',
  codeCaution:
    'Wenn Sie sich gerade nicht anmelden, kennt jemand Ihr Passwort: Legen Sie ein neues fest und geben Sie diesen Code niemandem.',
  codeSms: '{code} ist Ihr Code für {organization}.',
  notYou:
    'Wenn Sie das nicht waren, legen Sie jetzt ein neues Passwort fest und benachrichtigen Sie Ihre Administration.',
  addedSubject: 'Bestätigung in zwei Schritten wurde hinzugefügt',
  addedText: 'Ihrem Konto wurde ein zweiter Schritt hinzugefügt. Ab jetzt fragen wir beim Anmelden danach.',
  removedSubject: 'Ein zweiter Schritt wurde aus Ihrem Konto entfernt',
  removedText: 'Ein zweiter Schritt der Bestätigung in zwei Schritten wurde aus Ihrem Konto entfernt.',
  recoveryUsedSubject: 'Ein Wiederherstellungscode wurde verwendet',
  recoveryUsedText: 'Einer Ihrer Wiederherstellungscodes wurde zum Anmelden verwendet, anstelle des zweiten Schritts.',
  guessedSubject: 'Für Ihr Konto wurden falsche Codes eingegeben',
  guessedText:
    'Jemand, der Ihr Passwort kennt, hat zu viele falsche Codes für Ihren zweiten Schritt eingegeben. Weitere Versuche wurden vorübergehend gesperrt.',
  renewedSubject: 'Neue Wiederherstellungscodes wurden erstellt',
  renewedText: 'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
  askedSubject: '{agent} bittet um Berechtigungen',
  askedText:
    'Der Agent {agent} bittet Sie um {permissions}, für {time}. Sie können ihm alles leihen, einen Teil davon oder nichts.',
  askedDeadline: 'Zeit zu entscheiden: {time}. Ohne Entscheidung erhält der Agent nichts.',
  lentSubject: '{agent} kann einige Ihrer Berechtigungen nutzen',
  lentText:
    'Eine Regel Ihrer Organisation hat dem Agenten {agent} einige Ihrer Berechtigungen geliehen, für {time}: {permissions}.',
  lentBack: 'Sie können sie jederzeit zurücknehmen.',
  lentLast:
    'In der nächsten Minute schreiben wir Ihnen nicht über weitere. Ihre Kontoseite zeigt alles, was ihm geliehen ist.',
  agentSays: 'Der Agent schreibt: „{words}“',
  openRequest: 'Anfrage öffnen',
  webhookSubject: 'Ein Webhook wurde deaktiviert',
  webhookFailures:
    'Der Webhook an {webhook} wurde deaktiviert, weil zu viele Zustellungen nacheinander fehlgeschlagen sind.',
  webhookGone:
    'Der Webhook an {webhook} wurde deaktiviert, weil sein Empfänger geantwortet hat, dass es ihn nicht mehr gibt (410).',
  webhookAgain:
    'Er erhält keine Ereignisse, bis Sie ihn wieder aktivieren. Verpasste Ereignisse können dann erneut gesendet werden, solange sie aufbewahrt werden.',
};
