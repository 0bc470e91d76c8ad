import { readHostLabel } from './host-pattern.js';
import type { PlannedResponse, Refusal } from './refusal.js';
import type { RequestRules } from './request-rules.js';
import type { WithheldRequest } from './withheld-request.js';

/** So many are told of whole; of the others, neither headers nor texts. */
export const MOST_WHOLE = 200;
/** Of the texts of bodies. */
export const MOST_TEXT_BYTES = 1_048_576;

const WOULD_HAVE_SENT: Refusal = {
  status: 409,
  code: 'would_have_sent',
  reason: 'the run is only planned, so it was not sent',
  message: 'This run is only planned: the request was not sent. It is listed with the run.',
};

/** Tells of what one gate does not send because its run only reads. */
export class WithheldRequests {
  private count = 0;
  private textBytes = 0;

  constructor(
    private readonly rules: RequestRules,
    private readonly tell: (request: WithheldRequest) => void,
  ) {}

  /** @returns what the script is told */
  add(request: Omit<WithheldRequest, 'at'>): Refusal {
    this.count += 1;
    const { headers, body } = request;
    const isWhole = this.count <= MOST_WHOLE;
    const bytes = Buffer.byteLength(body.text ?? '');
    const hasRoom = isWhole && this.textBytes + bytes <= MOST_TEXT_BYTES;
    if (hasRoom) this.textBytes += bytes;
    this.tell({
      ...request,
      at: Date.now(),
      headers: isWhole ? headers : [],
      body: hasRoom ? body : { ...body, text: null },
    });
    const planned = this.planned(request);
    return planned ? { ...WOULD_HAVE_SENT, planned } : WOULD_HAVE_SENT;
  }

  private planned({ protocol, host, method, target }: Omit<WithheldRequest, 'at'>): PlannedResponse | null {
    if (protocol !== 'https' && protocol !== 'http') return null;
    const { name, port } = readHostLabel(host);
    return this.rules.planned(name, port, { method, target });
  }
}
