import type { Catalogue } from '../../catalogue.ts';

export const passwords: Catalogue['passwords'] = {
  password: 'Passwort',
  new: 'Neues Passwort',
  choose: 'Wählen Sie ein Passwort.',
  hintLength: { one: 'Mindestens {count} Zeichen.', other: 'Mindestens {count} Zeichen.' },
  hintKinds: { one: 'Mindestens {count} Zeichen, mit {kinds}.', other: 'Mindestens {count} Zeichen, mit {kinds}.' },
  kindUpper: 'einem Großbuchstaben',
  kindDigit: 'einer Ziffer',
  kindSymbol: 'einem Sonderzeichen',
  weak: 'Schwach: leicht zu erraten',
  fair: 'Brauchbar: Ein längeres ist sicherer',
  good: 'Gutes Passwort',
  strong: 'Starkes Passwort',
  tooShort: {
    one: 'Das Passwort muss mindestens {count} Zeichen haben.',
    other: 'Das Passwort muss mindestens {count} Zeichen haben.',
  },
  needsUpper: 'Das Passwort muss einen Großbuchstaben enthalten.',
  needsDigit: 'Das Passwort muss eine Ziffer enthalten.',
  needsSymbol: 'Das Passwort muss ein Sonderzeichen enthalten.',
  guessable:
    'Dieses Passwort ist zu leicht zu erraten. Machen Sie es länger oder verwenden Sie mehrere Wörter ohne Zusammenhang.',
  guessableCommon: 'Das ist eines der häufigsten Passwörter. Wählen Sie ein anderes.',
  guessableSimilar: 'Das ist einem häufigen Passwort zu ähnlich. Wählen Sie ein anderes.',
  guessableRepeat: 'Wiederholungen sind leicht zu erraten. Wählen Sie ein anderes Passwort.',
  guessableRow: 'Folgen und Tastenreihen sind leicht zu erraten. Wählen Sie ein anderes Passwort.',
  guessableDate: 'Daten und Jahreszahlen sind leicht zu erraten. Wählen Sie ein anderes Passwort.',
  guessableAbout: 'Ihr Name und Ihre E-Mail-Adresse sind leicht zu erraten. Wählen Sie ein anderes Passwort.',
  reusedLast: 'Das ist Ihr letztes Passwort. Wählen Sie ein anderes.',
  reused: {
    one: 'Dieses Passwort haben Sie schon verwendet. Es muss sich vom letzten unterscheiden.',
    other: 'Dieses Passwort haben Sie schon verwendet. Es muss sich von den letzten {count} unterscheiden.',
  },
  racing: 'Das Passwort wird gerade an anderer Stelle geändert. Versuchen Sie es noch einmal.',
};
