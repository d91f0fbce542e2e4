/**
 * Mutants whose refused writes leave something behind, and whose changes reach beyond what was
 * sent: in one operation, and at one member.
 */
import { isObject } from '../../engine/contract/pointers.ts';
import {
  type Json,
  jsonOf,
  membersOf,
  pathOf,
  plainJsonOf,
  problem,
  sendAlso,
  succeeded,
  withJson,
} from '../messages.ts';
import type { ServiceRequest } from '../service.ts';
import {
  createdPath,
  type Handle,
  type MakeResourceHandle,
  type Operator,
  type OperationFilter,
  type Operators,
  perOperation,
  perResource,
} from './operator.ts';
import { type Field, hasType, type Resource, type Subject } from './subject.ts';

/** The members at the top of the body of a change. */
function membersOfChange({ update }: Resource, { requestFields }: Subject): Field[] {
  return requestFields.filter(({ operation, path }) => operation === update && path.length === 1);
}

type MakeMemberHandle = (member: string, all: readonly Field[]) => MakeResourceHandle;

/** One mutant for each member of each change with several members. */
function perMember(make: MakeMemberHandle, fits: (field: Field) => boolean): Operator {
  return (subject) =>
    subject.resources.flatMap((resource) => {
      const all = membersOfChange(resource, subject);
      const fields = all.length > 1 ? all.filter(fits) : [];
      return fields.flatMap(({ path: [member = ''] }) => {
        const operator = perResource(['update'], make(member, all));
        const variants = operator({ ...subject, resources: [resource] });
        return variants.map((variant) => ({ ...variant, at: `${variant.at}/${member}` }));
      });
    });
}

const any = (): boolean => true;
const isNullable = (field: Field): boolean => hasType(field, 'null');

/** Refuses a change with this code, and keeps one of its members. */
function keepingMember(code: string): MakeMemberHandle {
  return (member) => () => async (next, request) => {
    const response = await next(request);
    const body = membersOf(plainJsonOf(request));
    if (membersOf(jsonOf(response))['code'] === code && Object.hasOwn(body, member)) {
      await next(withJson(request, { [member]: body[member] }));
    }
    return response;
  };
}

/** The member behind this one, of those that null resets. */
function neighbourOf(member: string, all: readonly Field[]): string {
  const names = all.filter(isNullable).map(({ path: [name = ''] }) => name);
  const index = names.indexOf(member);
  return names[(index + 1) % names.length] ?? member;
}

/** A change of the member to a value for which `isMeant` holds resets the next one, too. */
function resettingNeighbour(isMeant: (value: unknown) => boolean): MakeMemberHandle {
  return (member, all) => () => (next, request) => {
    const body: unknown = plainJsonOf(request);
    const neighbour = neighbourOf(member, all);
    if (!isObject(body) || !Object.hasOwn(body, member) || Object.hasOwn(body, neighbour)) {
      return next(request);
    }
    return next(
      isMeant(body[member]) ? withJson(request, { ...body, [neighbour]: null }) : request,
    );
  };
}

/** Ignores a member for which `isMeant` holds, beside another one for which it does not. */
function ignoringBeside(isMeant: (value: unknown) => boolean): MakeMemberHandle {
  return (member) => () => (next, request) => {
    const body: unknown = plainJsonOf(request);
    if (!isObject(body) || !Object.hasOwn(body, member)) {
      return next(request);
    }
    const { [member]: value, ...rest } = body;
    const isMixed = Object.values(rest).some((other) => !isMeant(other));
    return next(isMeant(value) && isMixed ? withJson(request, rest) : request);
  };
}

const isNull = (value: unknown): boolean => value === null;
const isValue = (value: unknown): boolean => value !== null;

/** What an object in a change leaves out stays, if one of its texts is as it was. */
const mergingAlike: MakeMemberHandle = (member) => (created) => async (next, request) => {
  const body: unknown = plainJsonOf(request);
  const before = created.get(pathOf(request))?.[member];
  const sent = isObject(body) ? body[member] : undefined;
  if (!isObject(body) || !isObject(sent) || !isObject(before) || !areAlike(sent, before)) {
    return next(request);
  }
  const merged = { ...body, [member]: { ...before, ...sent } };
  const response = await next(withJson(request, merged));
  return succeeded(response) ? response : next(request);
};

/** Whether two objects have a text in common. */
function areAlike(one: Json, other: Json): boolean {
  return Object.entries(one).some(
    ([name, value]) => typeof value === 'string' && other[name] === value,
  );
}

/** What a creation names its item by, if the client does. */
const NAMES = new Set(['match', 'match_type', 'type', 'name', 'title']);

function nameIn(request: ServiceRequest): string {
  const named = Object.entries(membersOf(jsonOf(request))).filter(
    ([name, value]) => NAMES.has(name) && typeof value === 'string',
  );
  return `${pathOf(request)} ${JSON.stringify(named)}`;
}

/** What a creation that is refused with this code names is taken from then on. */
function reserving(code: string): MakeResourceHandle {
  return (_, resource) => {
    const reserved = new Set<string>();
    return async (next, request) => {
      const name = nameIn(request);
      const response = await next(request);
      if (membersOf(jsonOf(response))['code'] === code) {
        reserved.add(name);
      }
      if (!succeeded(response) || !reserved.has(name)) {
        return response;
      }
      const target = createdPath(request, response, resource);
      await sendAlso(next, request, { method: 'DELETE', target });
      return problem(409, { code: 'already_exists' });
    };
  };
}

const documentsSize: OperationFilter = ({ responses }) => '413' in responses;

/** Counts a body that is too large in characters, of which it has fewer than bytes. */
const countingBody: Handle = async (next, request) => {
  const response = await next(request);
  const text = request.body.toString();
  if (response.status !== 413 || text.length === request.body.length) {
    return response;
  }
  const narrow = text.replaceAll(/[^\0-\x7F]/g, 'a');
  return next({ ...request, body: Buffer.from(narrow) });
};

export const changeOperators: Operators = {
  'invalid-yet-kept': perMember(keepingMember('invalid_request'), any),
  'conflict-yet-kept': perMember(keepingMember('conflict'), any),
  'taken-yet-kept': perMember(keepingMember('already_exists'), any),
  'invalid-yet-taken': perResource(['create'], reserving('invalid_request')),
  'conflict-yet-taken': perResource(['create'], reserving('conflict')),
  'null-resets-neighbour': perMember(resettingNeighbour(isNull), isNullable),
  'value-resets-neighbour': perMember(resettingNeighbour(isValue), any),
  'null-lost-beside-value': perMember(ignoringBeside(isNull), isNullable),
  'value-lost-beside-null': perMember(ignoringBeside(isValue), any),
  'merge-alike': perMember(mergingAlike, (field) => hasType(field, 'object')),
  'count-body-characters': perOperation(documentsSize, () => countingBody),
};
