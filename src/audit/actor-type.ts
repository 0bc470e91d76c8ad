/** Who acted: a person, the operator of this instance, the service by itself, or a key of the workspace. */
export const ACTOR_TYPES = ['user', 'staff', 'system', 'api_key'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];
