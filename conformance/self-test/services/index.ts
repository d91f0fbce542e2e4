/**
 * Services that conform and differ from most wherever the contract leaves a choice: the suite must
 * pass them all.
 */
import { createIndependentService, type IndependentServiceOptions } from '../independent/index.ts';
import type { Handle } from '../mutation/operator.ts';
import type { Service, ServiceRequest, ServiceResponse, Tokens } from '../service.ts';
import { CONTENTS } from './contents.ts';
import { CURSORS } from './cursors.ts';
import { ERRORS } from './errors.ts';
import { HEADERS } from './headers.ts';
import { JSON_FORMS } from './json.ts';
import { type Group, refusal } from './kind.ts';
import { METADATA } from './metadata.ts';
import { IDS, ORDER_OF_CHECKS, PAGES } from './options.ts';
import { PATHS } from './paths.ts';
import { REQUESTS } from './requests.ts';
import { FAILURES, TRANSPORT } from './transport.ts';

/** A kind stands in front of those of the groups before its own. */
const GROUPS: readonly Group[] = [
  IDS,
  PAGES,
  ORDER_OF_CHECKS,
  REQUESTS,
  CONTENTS,
  PATHS,
  CURSORS,
  ERRORS,
  JSON_FORMS,
  HEADERS,
  METADATA,
  TRANSPORT,
  FAILURES,
];

const KINDS = Object.assign({}, ...GROUPS) as Group;

/** Stands between the names of combined kinds. */
const SEPARATOR = ' + ';

/** The names of services that have one kind of each group, and together all kinds. */
export const COMBINED: readonly string[] = combinedNames();

function combinedNames(): string[] {
  const groups = GROUPS.map((group) => Object.keys(group));
  const count = Math.max(...groups.map((names) => names.length));
  const kindsOf = (index: number) => groups.map((names) => names[index % names.length]);
  return Array.from({ length: count }, (_, index) => kindsOf(index).join(SEPARATOR));
}

type CreateService = (tokens: Tokens) => Service;

/**
 * Services by the names of their kinds: the independent one, one for each kind alone, and the
 * combined ones.
 */
export const SERVICES: Readonly<Record<string, CreateService>> = servicesByName();

function servicesByName(): Record<string, CreateService> {
  const services: Record<string, CreateService> = { independent: createIndependentService };
  for (const name of [...Object.keys(KINDS), ...COMBINED]) {
    services[name] = (tokens) => createService(name, tokens);
  }
  return services;
}

function createService(name: string, tokens: Tokens): Service {
  const options: IndependentServiceOptions = { ...tokens };
  const handles: Handle[] = [];
  for (const kindName of name.split(SEPARATOR)) {
    const kind = KINDS[kindName];
    if (typeof kind === 'function') {
      handles.push(kind);
    } else {
      Object.assign(options, kind);
    }
  }
  let service = createIndependentService(options);
  for (const handle of handles) {
    service = inFrontOf(service, handle);
  }
  return service;
}

function inFrontOf(service: Service, handle: Handle): Service {
  return (request) => handle(service, request);
}

/** 503 with `Retry-After`. */
export function unavailable(request: ServiceRequest): ServiceResponse {
  return refusal(503, request, { headers: { 'retry-after': '0' } });
}
