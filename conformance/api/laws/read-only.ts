/** A token that may only read (D28): every change is refused with 403 and not done, and nothing is hidden. */
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { casesOn, once, Steps } from '../../engine/laws/steps.ts';
import { refused } from '../../engine/laws/refused.ts';
import type { Item } from '../../engine/laws/resource.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { withoutReadOnlyToken } from '../../engine/requirements/tokens.ts';
import { offers, targetFor } from '../calls.ts';
import { RESOURCES } from '../clauses.ts';
import { AT, core, extended, ofOperation } from '../define.ts';
import { expectChallenge } from '../protocol/authentication.ts';
import { edges } from '../resources/edges.ts';
import { FULL_ROUTE, routes, routesIn } from '../resources/routes.ts';
import { sources } from '../resources/sources.ts';

const WHY = 'A token that may only read may read everything.';
const WRITING = ['create', 'update', 'delete'] as const;

const FORBIDDEN = `${AT.responses}/Forbidden`;

/** Headers that send the read-only token in place of the token that goes out with every request. */
function asReader({ implementation }: Session): Record<string, string> {
  return { authorization: `Bearer ${implementation.readOnlyToken}` };
}

export function readOnlyLaws(operations: readonly Operation[]): Requirement[] {
  const all = [
    ...operations.filter(({ method, responses }) => method !== 'GET' && responses['403'] !== undefined).map(forbidden),
    core(
      ['authentication.read-only-token.sources-stay', 'D28', FORBIDDEN],
      'A change of event sources that the token does not permit has changed nothing.',
      casesOn(sources, refused(sources, WRITING, 403)),
    ),
    extended(
      ['authentication.read-only-token.edges-stay', 'D28', FORBIDDEN],
      'A change of edges or routes that the token does not permit has changed nothing.',
      ...[edges, routes].map((resource) => casesOn(resource, refused(resource, WRITING, 403))),
    ),
    ...operations.filter(({ method }) => method === 'GET').map(readable),
  ];
  return all.map((requirement) => ({ ...requirement, skip: withoutReadOnlyToken }));
}

/** A PATCH of nothing is not a change, and may succeed. */
async function changing(operationId: string, session: Session): Promise<CallInput> {
  const resource = RESOURCES.find(({ calls }) => calls.update === operationId);
  if (!resource) return validCall(session, operationId);
  const steps = new Steps(session, resource);
  const [item] = (await steps.createMixed(2)) as [Item, Item];
  return { path: item.path, json: steps.otherOf(item.place) };
}

function forbidden(operation: Operation): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    ['403', 'D28', FORBIDDEN, 'A token may be read-only', '| 403 |'],
    'returns 403 with `WWW-Authenticate` to a token that may only read.',
    once('a valid change', async (session) => {
      const call = { ...(await changing(operationId, session)), headers: asReader(session) };
      expectChallenge(await refuse(session, operationId, call, [403], 'The token is valid, and may only read.'));
    }),
  );
}

function readable(operation: Operation): Requirement {
  const { operationId, pointer } = operation;
  return ofOperation(operation)(
    ['read-only-token', 'D28', pointer, 'It can read all'],
    'responds to a read-only token as to any other.',
    once('GET', async (session) => {
      const look = await lookBy(operationId, session);
      const whole = await look({});
      expectSame('A token that may only read is shown something else', await look(asReader(session)), whole);
    }),
    once('HEAD', async (session) => {
      const target = await targetFor(session, operationId);
      const { status } = await session.send({ method: 'HEAD', target });
      expectStatus(await session.send({ method: 'HEAD', target, headers: asReader(session) }), [status], WHY);
    }),
  );
}

/** Something worth hiding, and how to read it or its list, with these headers. */
async function lookBy(
  operationId: string,
  session: Session,
): Promise<(headers: CallInput['headers']) => Promise<unknown>> {
  const resource = RESOURCES.find(({ calls }) => operationId === calls.read || operationId === calls.list)!;
  const steps = new Steps(session, resource);
  const items = await steps.createMixed(2);
  const { place, path, shown } = items[0]!;
  if (resource === edges && offers(session.implementation, 'createRoute'))
    await steps.on(routes).createAll(routesIn(steps.idOf({ shown }), 1), [FULL_ROUTE]);
  if (operationId === resource.calls.read)
    return async (headers = {}) => (await steps.succeed('read', { path, headers }, WHY)).json;
  return async (headers = {}) => {
    const listing = await steps.list(place, items, { headers });
    steps.expectListed(listing, items);
    // Items of others, which come and go all the while, do not count.
    return steps.ownIn(listing, items);
  };
}
