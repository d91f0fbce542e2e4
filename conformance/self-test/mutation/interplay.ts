/**
 * Mutants in which a write of a parent meets one of what is inside it, and mutants that remember
 * what they responded.
 */
import { setTimeout } from 'node:timers/promises';
import type { Operation } from '../../engine/contract/operations.ts';
import { parentOf, pathOf, plainJsonOf, problem, sendAlso, succeeded } from '../messages.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import {
  createdPath,
  type Handle,
  isCallOf,
  isWrite,
  type Operator,
  type Operators,
  perField,
  type Variant,
} from './operator.ts';
import { isFreeText, type Resource, type Subject } from './subject.ts';
import { someAt } from './values.ts';

/** The length of a careless pause between a look and a write. */
const PAUSE_MS = 2;

/** A resource, and the one whose items its items are inside of. */
interface Nested {
  parent: Resource;
  child: Resource;
}

function nestedIn({ resources }: Subject): Nested[] {
  return resources.flatMap((child) => {
    const parent = resources.find(({ read }) => child.create.path.startsWith(`${read.path}/`));
    return parent ? [{ parent, child }] : [];
  });
}

/** What a mutant of two resources remembers, and how it handles each request. */
type MakeNestedHandle = (nested: Nested, operation: Operation) => Handle;

/** One mutant for each of the operations that `chosen` returns. */
function perNested(
  chosen: (nested: Nested) => (Operation | undefined)[],
  make: MakeNestedHandle,
): Operator {
  return (subject) =>
    nestedIn(subject).flatMap((nested) =>
      chosen(nested).flatMap((operation): Variant[] => {
        if (operation === undefined) {
          return [];
        }
        const mutate = (service: Service): Service => {
          const handle = make(nested, operation);
          return (request) => handle(service, request);
        };
        return [{ at: operation.operationId, mutate }];
      }),
    );
}

/** The path of the parent of what a write of an item inside names. */
function parentPathOf(request: ServiceRequest, { child }: Nested): string {
  const collection = isCallOf(child.create, request) ? pathOf(request) : parentOf(pathOf(request));
  return parentOf(collection);
}

/** A write inside of a parent that is deleted meanwhile brings the parent back. */
const restoringParent: MakeNestedHandle = (nested, operation) => {
  const restored = new Map<string, ServiceResponse>();
  return async (next, request) => {
    const path = pathOf(request);
    if (isCallOf(nested.parent.read, request)) {
      const response = await next(request);
      if (response.status === 404) {
        return restored.get(path) ?? response;
      }
      return response;
    }
    if (!isCallOf(operation, request)) {
      return next(request);
    }
    const target = parentPathOf(request, nested);
    const before = await sendAlso(next, request, { method: 'GET', target });
    await setTimeout(PAUSE_MS);
    const response = await next(request);
    if (succeeded(before) && response.status === 404) {
      const after = await sendAlso(next, request, { method: 'GET', target });
      if (after.status === 404) {
        restored.set(target, before);
      }
    }
    return response;
  };
};

/** An item that is created or changed while its parent is deleted can still be read. */
const outlivingParent: MakeNestedHandle = ({ parent, child }, operation) => {
  const deleting = new Set<string>();
  const alive = new Map<string, ServiceResponse>();
  return async (next, request) => {
    const path = pathOf(request);
    if (isCallOf(parent.remove, request)) {
      deleting.add(path);
      await setTimeout(PAUSE_MS);
      const response = await next(request);
      deleting.delete(path);
      return response;
    }
    const response = await next(request);
    if (isCallOf(operation, request) && succeeded(response)) {
      const isCreated = isCallOf(child.create, request);
      const own = isCreated ? createdPath(request, response, child) : path;
      if (deleting.has(parentOf(parentOf(own)))) {
        alive.set(own, { ...response, status: 200 });
      }
    }
    if (isCallOf(child.read, request) && response.status === 404) {
      return alive.get(path) ?? response;
    }
    return response;
  };
};

/** A change of the parent writes back an item inside of it as it was when the change began. */
function writingBack(writeOf: (child: Resource) => Operation | undefined): MakeNestedHandle {
  return ({ child }, operation) => {
    const old = new Map<string, ServiceResponse>();
    let changes = 0;
    return async (next, request) => {
      const path = pathOf(request);
      if (isCallOf(operation, request)) {
        changes++;
        await setTimeout(PAUSE_MS);
        changes--;
        return next(request);
      }
      const before = old.get(path);
      if (before !== undefined && isCallOf(child.read, request)) {
        return before;
      }
      if (changes > 0 && isCallOf(writeOf(child), request)) {
        const shown = await sendAlso(next, request, { method: 'GET', target: path });
        const response = await next(request);
        if (succeeded(shown) && succeeded(response)) {
          old.set(path, shown);
        }
        return response;
      }
      return next(request);
    };
  };
}

/** A text of more characters is checked by another service, which takes its time. */
const LONG = 20;

/** How long a response is remembered. */
const REMEMBERED_MS = 100;

interface Remembered {
  response: ServiceResponse;
  at: number;
}

/** Reads of an operation are remembered for a short time, until any write but those of `missed`. */
function remembering(read: Operation, missed: Operation, isKept = succeeded): Variant['mutate'] {
  return (service) => {
    const cache = new Map<string, Remembered>();
    return async (request) => {
      if (isWrite(request)) {
        const response = await service(request);
        if (!isCallOf(missed, request)) {
          forgetAround(cache, pathOf(request));
        }
        return response;
      }
      if (!isCallOf(read, request)) {
        return service(request);
      }
      const { accept = '', authorization = '' } = request.headers;
      const key = `${request.target} ${accept} ${authorization}`;
      const known = cache.get(key);
      if (known && Date.now() - known.at < REMEMBERED_MS) {
        return known.response;
      }
      const response = await service(request);
      if (isKept(response)) {
        cache.set(key, { response, at: Date.now() });
      }
      return response;
    };
  };
}

/** Forgets what is at this path, above it and below it. */
function forgetAround(cache: Map<string, Remembered>, path: string): void {
  for (const key of cache.keys()) {
    const [kept = ''] = key.split(/[? ]/, 1);
    if (`${path}/`.startsWith(`${kept}/`) || kept.startsWith(`${path}/`)) {
      cache.delete(key);
    }
  }
}

function listsOf({ operations }: Subject): Operation[] {
  return operations.filter(({ method, path }) => method === 'GET' && !path.endsWith('}'));
}

/** A read or a list, and a write that changes what it shows. */
const forgettingWrites: Operator = (subject) => {
  const { resources } = subject;
  const reads = [...resources.map(({ read }) => read), ...listsOf(subject)];
  const writes = resources.flatMap(({ create, update, remove }) => [create, update, remove]);
  return reads.flatMap((read) =>
    writes.flatMap((write): Variant[] => {
      if (write === undefined || !isShownBy(read, write)) {
        return [];
      }
      const at = `${read.operationId}/${write.operationId}`;
      return [{ at, mutate: remembering(read, write) }];
    }),
  );
};

/** Whether a read shows what the write changes: the same item, what it is inside of, or a list. */
function isShownBy(read: Operation, write: Operation): boolean {
  const isCreation = write.method === 'POST';
  const isBelow = write.path.startsWith(read.path) && !(isCreation && read.path === write.path);
  const isList = isCreation && read.path === write.path;
  const isInside = read.path.startsWith(`${write.path}/`) && write.method === 'DELETE';
  return isBelow || isList || isInside;
}

/** That there is nothing is remembered for a short time, also if it is created meanwhile. */
const rememberingNothing: Operator = ({ resources }) =>
  resources.map(({ read, create }) => ({
    at: read.operationId,
    mutate: remembering(read, create, ({ status }) => status === 404),
  }));

/** Refuses each long text that it meets for the first time. */
const refusingAtFirst: Operator = perField('requestFields', isFreeText, ({ path }) => {
  const known = new Set<unknown>();
  const isNew = (value: unknown): boolean => {
    const isLong = typeof value === 'string' && value.length > LONG;
    return isLong && !known.has(value) && known.add(value).has(value);
  };
  return async (next, request) => {
    if (!someAt(plainJsonOf(request), path, isNew)) {
      return next(request);
    }
    const pointer = `/${path.join('/')}`;
    const errors = [{ pointer, code: 'format', detail: 'It is not known yet.' }];
    return problem(400, { code: 'invalid_request', errors });
  };
});

export const interplayOperators: Operators = {
  'restore-parent': perNested(
    ({ child: { create, update, remove } }) => [create, update, remove],
    restoringParent,
  ),
  'outlive-parent': perNested(({ child: { create, update } }) => [create, update], outlivingParent),
  'write-back-removed': perNested(
    ({ parent }) => [parent.update],
    writingBack(({ remove }) => remove),
  ),
  'write-back-changed': perNested(
    ({ parent }) => [parent.update],
    writingBack(({ update }) => update),
  ),
  'remember-beside': forgettingWrites,
  'remember-nothing': rememberingNothing,
  'refuse-at-first': refusingAtFirst,
};
