/** One step of a generated sequence: it acts on the service and on the model, and compares. */
import type { Session } from '../../engine/http/session.ts';
import type { SubscriptionModel } from './subscription.ts';

export interface Ground {
  session: Session;
  subscription_id: string;
  model: SubscriptionModel;
  /** The types to play with: few, so that steps collide. */
  types: string[];
}

/** Data, so that a sequence can be printed and shrunk; types are indices into those of the ground. */
export type Command =
  | { do: 'add'; type: number }
  | { do: 'read'; type: number }
  | { do: 'list'; limit: number }
  | { do: 'replace'; type: number; by: number | null }
  | { do: 'remove'; type: number };

export function typeAt(ground: Ground, index: number): string {
  return ground.types[index % ground.types.length]!;
}
