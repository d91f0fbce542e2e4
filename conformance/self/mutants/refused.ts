/** Requests that are refused, and change something all the same. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import type { OperationId } from '../mutate/operation.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { isObject, jsonIn, type Json, sending, withHeaders, withQuery, withoutHeader } from '../mutate/request.ts';

const mutant = mutantsOf('refused');

const LAW = 'sources.refused-changes-nothing';

/** When this status refuses a request, the deed is done first. */
function acts(
  operation: OperationId,
  status: number,
  deed: (request: ServiceRequest) => ServiceRequest | undefined,
): Mutate {
  return instead(operation, async (next: Service, request: ServiceRequest): Promise<ServiceResponse> => {
    const response = await next(request);
    const done = response.status === status ? deed(request) : undefined;
    if (done) await next(done);
    return response;
  });
}

/** The part of a body that would be valid alone. */
function rightPart(request: ServiceRequest, repair: (body: Json) => unknown): ServiceRequest | undefined {
  const body = jsonIn(request);
  return isObject(body) ? sending(request, repair(body)) : undefined;
}

const known = (request: ServiceRequest) => rightPart(request, ({ type }) => ({ type }));
const first = (request: ServiceRequest) =>
  rightPart(request, ({ type }) => ({ type: Array.isArray(type) ? type[0] : type }));
const anyCase = (request: ServiceRequest) => rightPart(request, (body) => ({ type: body['Type'] ?? body['type'] }));
const bulk = (request: ServiceRequest) => {
  const body = jsonIn(request);
  return Array.isArray(body) ? sending(request, body[0]) : undefined;
};
const withoutParameters = (request: ServiceRequest) => withQuery(request, []);
const asJson = (request: ServiceRequest) => withHeaders(request, { 'content-type': 'application/json' });
const forAnyone = (request: ServiceRequest) => withoutHeader(request, 'accept');

export const refused: Mutant[] = [
  mutant(
    'add-unknown-property',
    LAW,
    'An add with an unknown property is refused after the source was added.',
    acts('createEventSource', 400, known),
  ),
  mutant(
    'add-list',
    LAW,
    'An add with a list of types is refused after the first was added.',
    acts('createEventSource', 400, first),
  ),
  mutant('add-bulk', LAW, 'A list of adds is refused after the first was done.', acts('createEventSource', 400, bulk)),
  mutant(
    'add-any-case',
    LAW,
    'An add with a name in another case is refused after the source was added.',
    acts('createEventSource', 400, anyCase),
  ),
  mutant(
    'add-unknown-parameter',
    LAW,
    'An add with an unknown parameter is refused after the source was added.',
    acts('createEventSource', 400, withoutParameters),
  ),
  mutant(
    'update-unknown-property',
    LAW,
    'An update with an unknown property is refused after it was done.',
    acts('updateEventSource', 400, known),
  ),
  mutant(
    'update-list',
    LAW,
    'An update with a list of types is refused after the first was taken.',
    acts('updateEventSource', 400, first),
  ),
  mutant(
    'update-unknown-parameter',
    LAW,
    'An update with an unknown parameter is refused after it was done.',
    acts('updateEventSource', 400, withoutParameters),
  ),
  mutant(
    'delete-unknown-parameter',
    LAW,
    'A removal with an unknown parameter is refused after it was done.',
    acts('deleteEventSource', 400, withoutParameters),
  ),
  mutant(
    'add-415',
    LAW,
    'An add of another media type is refused after the source was added.',
    acts('createEventSource', 415, asJson),
  ),
  mutant(
    'update-415',
    LAW,
    'An update of another media type is refused after it was done.',
    acts('updateEventSource', 415, asJson),
  ),
  mutant(
    'add-406',
    LAW,
    'An add whose answer is not acceptable is refused after the source was added.',
    acts('createEventSource', 406, forAnyone),
  ),
  mutant(
    'update-406',
    LAW,
    'An update whose answer is not acceptable is refused after it was done.',
    acts('updateEventSource', 406, forAnyone),
  ),
];
