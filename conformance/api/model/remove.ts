import { refuse, succeed } from '../steps.ts';
import { type Ground, typeAt } from './command.ts';

export async function remove(ground: Ground, { type: index }: { type: number }): Promise<void> {
  const { session, subscription_id, model } = ground;
  const type = typeAt(ground, index);
  const input = { path: { subscription_id, type } };
  if (model.remove(type) === 204) await succeed(session, 'deleteEventSource', input, `The subscription has ${type}.`);
  else await refuse(session, 'deleteEventSource', input, [404], `The subscription has no ${type}.`);
}
