/**
 * An operation states its rules; `define` applies them in one order for all. A resource that the path names is looked
 * for before anything else of the request is checked: the contract leaves the order open.
 */
import type { ServiceRequest } from '../service.ts';
import { acceptsJson } from './accept.ts';
import type { HttpResponse } from './response.ts';
import { readBody } from './body.ts';
import type { Check } from './check.ts';
import { Faults } from './faults.ts';
import { BODY } from './place.ts';
import { Refusal } from './problem.ts';
import { Query } from './query.ts';
import type { Implementation } from './target.ts';
import { refuseLoneSurrogates } from './unicode.ts';

export type Params = Readonly<Record<string, string>>;

interface Call<Parameters, Body> {
  /** As the path template names them; each has its form already. */
  param(name: string): string;
  /** See `baseUrl`. */
  base: string;
  /** The query as it was sent, with its question mark; empty where there is none. */
  search: string;
  query: Parameters;
  body: Body;
}

interface Rules<Parameters, Body> {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  path: string;
  /** Beside the contract: needs no token, and responds with something other than JSON. */
  open?: boolean;
  /** Throws unless the resource is there. */
  find?(param: (name: string) => string): void;
  query?: {
    known: readonly string[];
    read(query: Query, faults: Faults, param: (name: string) => string): Parameters;
  };
  body?: { required: boolean; read: Check<Body> };
  run(call: Call<Parameters, Body>): HttpResponse;
}

export interface Operation {
  method: string;
  path: string;
  open: boolean;
  handle(
    request: ServiceRequest,
    implementation: Implementation,
    params: Params,
    base: string,
    order?: Order,
  ): HttpResponse;
}

/** What is looked at first: the resource that the path names, or the rest of the request. */
export type Order = 'resource first' | 'resource last';

export function define<Parameters = undefined, Body = undefined>(rules: Rules<Parameters, Body>): Operation {
  const { method, path, open = false } = rules;
  return {
    method,
    path,
    open,
    handle(request, implementation, params, base, order = 'resource first') {
      const param = (name: string): string => {
        const value = params[name];
        if (value === undefined) throw new Error(`${path} has no parameter ${name}`);
        return value;
      };
      if (order === 'resource first') rules.find?.(param);
      // A deletion answers without content, so there is nothing that Accept could rule out.
      if (method !== 'DELETE' && !open && !acceptsJson(request.headers['accept'])) {
        throw new Refusal('not_acceptable', 'Answers come as application/json, which Accept excludes.');
      }
      const faults = new Faults();
      const query = new Query(implementation.query, rules.query?.known ?? [], faults);
      const parameters = rules.query?.read(query, faults, param);
      const body = rules.body && readInput(request, rules.body, faults);
      faults.throwIfAny();
      if (order === 'resource last') rules.find?.(param);
      // Without faults both have been read, or the operation has none and its type is undefined.
      const search = /\?[^#]*/.exec(request.target)?.[0] ?? '';
      return rules.run({ param, base, search, query: parameters as Parameters, body: body as Body });
    },
  };
}

function readInput<Body>(
  request: ServiceRequest,
  { required, read }: { required: boolean; read: Check<Body> },
  faults: Faults,
): Body | undefined {
  const sent = readBody(request);
  if (sent === undefined && required) {
    faults.at(BODY, 'required', 'This operation needs a body.');
    return undefined;
  }
  refuseLoneSurrogates(sent, faults);
  return read(sent === undefined ? {} : sent, BODY, faults);
}
