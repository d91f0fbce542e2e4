import { expectType, refuse, succeed } from '../steps.ts';
import { type Ground, typeAt } from './command.ts';

export async function read(ground: Ground, { type: index }: { type: number }): Promise<void> {
  const { session, subscription_id, model } = ground;
  const type = typeAt(ground, index);
  const input = { path: { subscription_id, type } };
  if (model.has(type))
    expectType(await succeed(session, 'getEventSource', input, `The subscription has ${type}.`), type);
  else await refuse(session, 'getEventSource', input, [404], `The subscription has no ${type}.`);
}
