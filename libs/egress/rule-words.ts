/** How the rules of a host are told to people, by whoever tells of them. */

export const SPOKEN = { http: 'in the clear, by HTTP', tls: 'by TLS', tcp: 'by TCP', postgres: 'PostgreSQL' };

export const ASKED = {
  request: {
    always: 'with the approval of a person for each',
    agents: 'with the approval of a person for each where an agent has started the run',
  },
  statement: {
    always: 'with the approval of a person for each statement that may write',
    agents:
      'with the approval of a person for each statement that may write where an agent has started the run',
  },
};

/** What turns text around, cannot be seen, or begins a name where names stand in backticks. */
const STEERS = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800`]/gu;

interface Planned {
  status: number;
  body: string | null;
  contentType: string | null;
}

/** In brackets behind the requests: `(in a plan answered 200 with "none" as text/plain)`. What is quoted ends where it says. */
export function plannedWords({ status, body, contentType }: Planned): string {
  if (body === null) return `(in a plan answered ${status})`;
  const shown = JSON.stringify(body).replace(STEERS, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
  return `(in a plan answered ${status} with ${shown} as ${contentType})`;
}
