import { expectType, refuse, succeed } from '../steps.ts';
import { type Ground, typeAt } from './command.ts';

export async function replace(ground: Ground, { type: index, by }: { type: number; by: number | null }): Promise<void> {
  const { session, subscription_id, model } = ground;
  const from = typeAt(ground, index);
  const to = by === null ? undefined : typeAt(ground, by);
  const input = { path: { subscription_id, type: from }, json: to === undefined ? {} : { type: to } };
  const due = model.replace(from, to);
  if (due === 200) expectType(await succeed(session, 'updateEventSource', input), to ?? from);
  else if (due === 404) await refuse(session, 'updateEventSource', input, [404], `The subscription has no ${from}.`);
  else await refuse(session, 'updateEventSource', input, [409], `The subscription has ${to} already.`);
}
