import type { EntryWords } from './entry-words.js';

export const WORDS: EntryWords = {
  language: 'de',

  signIn: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  showPassword: 'Passwort anzeigen',
  usePasskey: 'Passkey verwenden',
  forgot: 'Passwort vergessen?',
  or: 'oder',
  signInWith: (title) => `Mit ${title} anmelden`,

  secondFactor:
    'Das Passwort stimmt. Ihr Konto hat einen zweiten Faktor: Bestätigen Sie die Anmeldung auch damit.',
  beginAnew: 'Von vorn beginnen',
  code: 'Code',
  codeOfApp: 'Die sechs Ziffern, die die App anzeigt.',
  codeOrRecovery: 'Die sechs Ziffern aus Ihrer Authentifizierungs-App oder ein Wiederherstellungscode.',

  notConfirmed: 'Das wurde nicht bestätigt',
  backToWhereYouWere: 'Zurück zur vorigen Seite',
  notSignedIn: 'Sie sind nicht angemeldet.',
  providerProblems: {
    address_foreign: 'Ihre Adresse dort gehört zu einer Domain, für die dieser Anbieter nicht zuständig ist.',
    address_taken:
      'Das Konto mit Ihrer Adresse gehört dort jemand anderem. Wenden Sie sich an den Betreiber dieses Gatehouse.',
    address_unverified:
      'Der Anbieter hat Ihre Adresse nicht bestätigt. Lassen Sie sie dort bestätigen und versuchen Sie es dann noch einmal.',
    expired:
      'Die Anmeldung war schon abgeschlossen, wurde in einem anderen Browser begonnen oder ist zu lange her. Versuchen Sie es noch einmal.',
    no_room:
      'Der Workspace kann keine weiteren Mitglieder aufnehmen. Wenden Sie sich an jemanden, dem er gehört.',
    not_admitted: 'Sie wurden dort nicht zugelassen oder haben hier keine Rolle.',
    not_fresh:
      'Der Anbieter hat keine erneute Anmeldung verlangt oder gibt das nicht an. Melden Sie sich dort ab und versuchen Sie es noch einmal.',
    other_account: 'Sie sind mit einem anderen Konto zurückgekommen als dem, mit dem Sie angemeldet waren.',
  },
  otherProviderProblem:
    'Etwas ist schiefgegangen. Versuchen Sie es noch einmal. Bleibt es dabei, sagen Sie es dem Betreiber dieses Gatehouse.',

  messages: {
    'The e-mail address or the password is wrong.': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    'is wrong, too old, or used already: wait for the next one':
      'ist falsch, zu alt oder schon verwendet: Warten Sie auf den nächsten',
    'Begin anew with the password: it was given too long ago, or in another browser.':
      'Beginnen Sie noch einmal mit dem Passwort: Es wurde vor zu langer Zeit oder in einem anderen Browser eingegeben.',
    'This passkey opens no account here, or was asked for too long ago.':
      'Dieser Passkey gehört hier zu keinem Konto, oder die Abfrage liegt zu lange zurück.',
    'Too many tries of a password for this account.': 'Zu viele Passwortversuche für dieses Konto.',
    'Too many tries of a password from this address.': 'Zu viele Passwortversuche von dieser IP-Adresse.',
    'Too many tries of a second factor for this account.':
      'Zu viele Versuche mit einem zweiten Faktor für dieses Konto.',
    'Too many tries of a passkey from this address.':
      'Zu viele Versuche mit einem Passkey von dieser IP-Adresse.',
    'Too many tries of signing in.': 'Zu viele Anmeldeversuche.',
    'is neither a code of six digits nor a recovery code that is left':
      'ist weder ein Code aus sechs Ziffern noch ein Wiederherstellungscode, der übrig ist',
    'was not accepted: ask for new options, and try again':
      'wurde nicht angenommen: Versuchen Sie es noch einmal',
    'is not one that is known here': 'ist hier nicht bekannt',
    'was used twice at this moment': 'wurde gerade zweimal verwendet',
    'The service cannot be reached. Check the connection.':
      'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung.',
    'No passkey was used. Try again, or choose another way.':
      'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  },
  somethingWrong: 'Etwas ist schiefgegangen.',
  again: (ms) => `Versuchen Sie es ${soon(ms)} noch einmal.`,
  nothingLost: 'Was Sie eingegeben haben, bleibt erhalten.',
  tellWhoRunsIt:
    'Versuchen Sie es noch einmal. Bleibt es dabei, nennen Sie dem Betreiber dieses Gatehouse die Nummer unten.',
  request: 'Anfrage',
  meaningOf: (code) => `was ${code} bedeutet`,
};

function soon(ms: number | null): string {
  if (ms === null) return 'gleich';
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds > 90) return `in ${Math.ceil(seconds / 60)} Minuten`;
  return seconds === 1 ? 'in einer Sekunde' : `in ${seconds} Sekunden`;
}
