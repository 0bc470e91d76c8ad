/** How an address is stored and looked up: the case of its letters tells no two accounts apart. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase();
}

/** The same password typed on another keyboard may arrive composed differently. */
export function normalizePassword(password: string): string {
  return password.normalize('NFC');
}
