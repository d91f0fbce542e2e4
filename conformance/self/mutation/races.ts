/** Requests at the same time: writes that are held back, lost, seen half done, or won by two. */
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { ask, isObject, pause, plainJsonOf, problem, sending, succeeded } from './messages.ts';
import { effect, instead, type Operator, type Operators, perOperation, perResource, type Role } from './operator.ts';
import { parentOf, pathOf } from './subject.ts';

/** Of equal requests under way at once, those that are refused get the response of the one that succeeded. */
const together = (role: Role, keyOf: (request: ServiceRequest) => string, refusal: number): Operator =>
  perResource(role, (_, operation) => {
    if (!(String(refusal) in operation.responses)) return undefined;
    const under = new Map<string, { count: number; winner?: ServiceResponse }>();
    return instead(operation, async (next, request) => {
      const group = under.get(keyOf(request)) ?? { count: 0 };
      under.set(keyOf(request), group);
      group.count++;
      await pause();
      const response = await next(request);
      if (succeeded(response)) group.winner ??= response;
      await pause();
      if (--group.count === 0) under.delete(keyOf(request));
      return response.status === refusal ? (group.winner ?? response) : response;
    });
  });

const toTheSame = ({ target, body }: ServiceRequest) => `${target} ${body.toString()}`;
const fromSiblings = (request: ServiceRequest) => `${parentOf(pathOf(request))} ${request.body.toString()}`;

export const races: Operators = {
  'held-back': perResource('remove', (_, remove) =>
    instead(remove, async (next, request) => {
      if (!succeeded(await ask(next, request, 'GET', pathOf(request)))) return next(request);
      void pause().then(() => next(request));
      return { status: 204, headers: {}, body: '' };
    }),
  ),
  'lost-update': effect('update', ({ known }) => async (next, request) => {
    const before = { ...known.get(pathOf(request))?.sent };
    const body = plainJsonOf(request);
    await pause();
    const now = known.get(pathOf(request))?.sent;
    if (!now || !isObject(body) || JSON.stringify(before) === JSON.stringify(now)) return next(request);
    const lost = Object.keys(now).filter((name) => !(name in body));
    const back = Object.fromEntries(lost.map((name) => [name, before[name] ?? null]));
    const response = await next(sending(request, { ...back, ...body }));
    return succeeded(response) ? response : next(request);
  }),
  'half-update': perResource('update', (_, update) =>
    instead(update, async (next, request) => {
      const body = plainJsonOf(request);
      for (const [name, value] of isObject(body) ? Object.entries(body).slice(0, -1) : []) {
        if (!succeeded(await next(sending(request, { [name]: value })))) break;
        await pause();
      }
      return next(request);
    }),
  ),
  'two-creations-win': together('create', toTheSame, 409),
  'two-updates-win': together('update', fromSiblings, 409),
  'two-deletions-win': together('remove', toTheSame, 404),
  busy: perOperation(
    ({ method }) => method !== 'GET',
    (operation) => {
      const under = new Set<string>();
      return instead(operation, async (next, request) => {
        const key = operation.method === 'POST' ? pathOf(request) : parentOf(pathOf(request));
        if (under.has(key)) return problem(409, 'conflict');
        under.add(key);
        await pause();
        under.delete(key);
        return next(request);
      });
    },
  ),
};
