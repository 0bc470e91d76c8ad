export const TEXT = { type: 'string' };
export const TEXT_OR_NULL = { type: ['string', 'null'] };
export const TIMESTAMP = { type: 'string', format: 'date-time' };

/** The schema of an event's data, or of an object in it, of the schemas of its fields: none of them is ever left out. */
export function eventData(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** A script or an agent that an event is about. */
export const SLUGGED = eventData({ id: TEXT, slug: TEXT, name: TEXT });

/** Who did it, and with what. */
export const ACTOR = eventData({
  userId: TEXT_OR_NULL,
  credentialType: TEXT_OR_NULL,
  credentialName: TEXT_OR_NULL,
});
