import { expectType, refuse, succeed } from '../steps.ts';
import { type Ground, typeAt } from './command.ts';

export async function add(ground: Ground, { type: index }: { type: number }): Promise<void> {
  const { session, subscription_id, model } = ground;
  const type = typeAt(ground, index);
  const input = { path: { subscription_id }, json: { type } };
  if (model.add(type) === 201) expectType(await succeed(session, 'createEventSource', input), type);
  else await refuse(session, 'createEventSource', input, [409], `The subscription has ${type} already.`);
}
