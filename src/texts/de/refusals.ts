import type { Catalogue } from '../catalogue.ts';

export const refusals: Catalogue['refusals'] = {
  general: 'Das ist gerade nicht möglich.',
  administratorsOnly: 'Das kann nur Ihre Administration ändern.',
  noMail: 'Diese Organisation kann keine E-Mails senden.',
  mailJustSent: 'Wir haben Ihnen eben eine E-Mail gesendet. Versuchen Sie es in einer Minute noch einmal.',
  unconfirmedAddress: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse.',
  lastWayIn:
    'Nur damit können Sie sich anmelden. Legen Sie zuerst ein Passwort fest oder fügen Sie einen Passkey hinzu.',
  changedMeanwhile: 'Ihr Konto hat sich während dieser Anmeldung geändert. Beginnen Sie von vorn.',
  sessionEnded: 'Die Sitzung wurde eben beendet. Melden Sie sich wieder an.',
  otherDevice:
    'Passkeys dieses Geräts selbst sind nicht erlaubt: Verwenden Sie einen Sicherheitsschlüssel oder ein anderes Gerät.',
  factorNeeded: 'Ein zweiter Schritt ist vorgeschrieben: Fügen Sie zuerst einen anderen hinzu.',
  methodClosed: 'Diese Methode ist nicht erlaubt.',
  factorsMax: {
    one: 'Es ist schon {count} Methode eingerichtet.',
    other: 'Es sind schon {count} Methoden eingerichtet.',
  },
  notHeld: 'Sie haben {permission} selbst nicht und können es deshalb nicht verleihen.',
  notDeciding: 'Über diese Anfrage entscheiden Sie nicht.',
  noFactor: 'Es ist noch keine Methode eingerichtet.',
  delegationsMax: {
    one: 'Für Sie kann höchstens {count} Agent handeln.',
    other: 'Für Sie können höchstens {count} Agenten handeln.',
  },
  noAgent: 'Diesen Agenten gibt es nicht, oder er ist ausgeschaltet.',
  noPermission: 'Es gibt keine Berechtigung {permission}.',
};
