/**
 * An operator makes mutants of a service from its contract. It knows no requirement: a mutant is
 * killed by any failure.
 */
import { setTimeout } from 'node:timers/promises';
import type { Contract } from '../../engine/contract/load.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import { type Json, jsonOf, membersOf, pathOf, succeeded } from '../messages.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import type { Field, Resource, Subject } from './subject.ts';

export interface Variant {
  /** The part that is broken, such as `getEdge/200/hostports`. */
  at: string;
  mutate: (service: Service) => Service;
}

export type Operator = (subject: Subject) => Variant[];

/** Each by a name that says what it does to a service. */
export type Operators = Record<string, Operator>;

/** An operator for each row of a table, by the name of the row. */
export function perRow<T>(rows: Record<string, T>, operatorOf: (row: T) => Operator): Operators {
  const operators = Object.entries(rows).map(([name, row]) => [name, operatorOf(row)]);
  return Object.fromEntries(operators);
}

/** One operator that makes the mutants of several. */
export function combined<T>(rows: readonly T[], operatorOf: (row: T) => Operator): Operator {
  return (subject) => rows.flatMap((row) => operatorOf(row)(subject));
}

/** Handles a request in place of the service `next`. */
export type Handle = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;

/** Makes the handle of one service: what it remembers belongs to that service. */
export type MakeHandle = () => Handle;

/** Changes each response. */
export function changingResponse(
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Handle {
  return async (next, request) => change(await next(request), request);
}

interface Exchange {
  request: ServiceRequest;
  response: ServiceResponse;
}

type IsReplaced = (
  response: ServiceResponse,
  request: ServiceRequest,
  lastSuccess: ServiceRequest,
) => boolean;

/** Repeats the last success in place of each response for which `isReplaced` holds. */
export function repeatingSuccess(isReplaced: IsReplaced): Handle {
  let last: Exchange | undefined;
  return changingResponse((response, request) => {
    const before = last;
    if (succeeded(response)) {
      last = { request, response };
    }
    if (before && isReplaced(response, request, before.request)) {
      return before.response;
    }
    return response;
  });
}

/** The part of the path that differs with each request. */
const PATH_PARAMETER = /\{[^}]+\}/g;

/**
 * Whether a request calls the operation. The paths of a contract may stand below a version, as in
 * `/v1/tasks`.
 */
export function isCallOf(operation: Operation | undefined, request: ServiceRequest): boolean {
  if (operation?.method !== request.method) {
    return false;
  }
  const pattern = operation.path.replaceAll(PATH_PARAMETER, '[^/]+');
  return new RegExp(`^(?:/v\\d+)?${pattern}$`).test(pathOf(request));
}

/**
 * A mutant that handles the calls of one operation.
 * @param place the part of the operation that is broken
 */
function variantOf(operation: Operation, make: MakeHandle, place = ''): Variant {
  const { operationId } = operation;
  return {
    at: place === '' ? operationId : `${operationId}/${place}`,
    mutate(next) {
      const handle = make();
      return async (request) => {
        if (isCallOf(operation, request)) {
          return handle(next, request);
        }
        return next(request);
      };
    },
  };
}

export type OperationFilter = (operation: Operation) => boolean;

export const anyOperation: OperationFilter = () => true;

/** Whether an operation or a request may change something. */
export const isWrite = ({ method }: { method: string }): boolean => !/^(GET|HEAD)$/.test(method);

/** Whether an operation is about something below an item. */
export const isNested: OperationFilter = ({ path }) => path.includes('}/');

/** One mutant for each operation that `fits`. */
export function perOperation(
  fits: OperationFilter,
  make: (operation: Operation) => Handle,
  place?: string,
): Operator {
  return ({ operations }) =>
    operations.filter(fits).map((operation) => variantOf(operation, () => make(operation), place));
}

/** A part of an operation that can be broken, and the handle of its calls that breaks it. */
export interface Place {
  name: string;
  make: MakeHandle;
}

/** One mutant for each place in an operation. */
export function perPlace(
  placesOf: (operation: Operation, contract: Contract) => Place[],
): Operator {
  return ({ contract, operations }) =>
    operations.flatMap((operation) =>
      placesOf(operation, contract).map(({ name, make }) => variantOf(operation, make, name)),
    );
}

export type FieldFilter = (field: Field, subject: Subject) => boolean;

/** One mutant for each field of responses or requests that `fits`. */
export function perField(
  side: 'responseFields' | 'requestFields',
  fits: FieldFilter,
  make: (field: Field) => Handle,
): Operator {
  return (subject) => {
    const fields = subject[side].filter((field) => fits(field, subject));
    return fields.map((field) => variantOf(field.operation, () => make(field), placeOf(field)));
  };
}

function placeOf({ status, path }: Field): string {
  const names = status === undefined ? path : [status, ...path];
  return names.join('/');
}

/**
 * The resources that a service created, by path and in the order of creation: what requests stated
 * of each.
 */
export type Created = Map<string, Json>;

export type Role = 'create' | 'read' | 'update' | 'remove';

export type MakeResourceHandle = (created: Created, resource: Resource) => Handle;

interface ResourceOptions {
  /** The operations that get a mutant; by default, all in the roles. */
  fits?: OperationFilter;
  /** The calls of the operation in this role are handled, too. */
  also?: Role;
}

/** One mutant for each operation of a resource in one of the roles. */
export function perResource(
  roles: readonly Role[],
  make: MakeResourceHandle,
  { fits = anyOperation, also }: ResourceOptions = {},
): Operator {
  return ({ resources }) => {
    const variants: Variant[] = [];
    for (const resource of resources) {
      const other = also && resource[also];
      for (const role of roles) {
        const operation = resource[role];
        if (operation && fits(operation)) {
          variants.push(resourceVariant(resource, make, [operation, other]));
        }
      }
    }
    return variants;
  };
}

/**
 * @param handled the operation that names the mutant, and another one whose calls are handled, too
 */
function resourceVariant(
  resource: Resource,
  make: MakeResourceHandle,
  handled: [operation: Operation, other: Operation | undefined],
): Variant {
  return {
    at: handled[0].operationId,
    mutate(service) {
      const created: Created = new Map();
      const next = tracking(service, created, resource);
      const handle = make(created, resource);
      return async (request) => {
        if (handled.some((operation) => isCallOf(operation, request))) {
          return handle(next, request);
        }
        return next(request);
      };
    },
  };
}

/** The service, which keeps `created` up to date. */
function tracking(service: Service, created: Created, resource: Resource): Service {
  return async (request) => {
    const response = await service(request);
    if (!succeeded(response)) {
      return response;
    }
    const path = pathOf(request);
    const sent = membersOf(jsonOf(request));
    if (isCallOf(resource.create, request)) {
      created.set(createdPath(request, response, resource), sent);
    } else if (isCallOf(resource.remove, request)) {
      created.delete(path);
    } else if (created.has(path) && isCallOf(resource.update, request)) {
      created.set(path, { ...created.get(path), ...sent });
    }
    return response;
  };
}

/** The path of the resource that a request created. */
export function createdPath(
  request: ServiceRequest,
  response: ServiceResponse,
  { key }: Resource,
): string {
  const name = String(jsonOf(response)?.[key]);
  return `${pathOf(request)}/${encodeURIComponent(name)}`;
}

const PAUSE_MS = 15;

/** Waits far longer than a request takes, and far shorter than a run. */
export const pause = () => setTimeout(PAUSE_MS);
