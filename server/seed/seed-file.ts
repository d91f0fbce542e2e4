/**
 * A JSON file of edges and event sources that a server begins with:
 *
 *     {
 *       "edges": [{ "id": "edghts_shop", …as in createEdge, "routes": [{ "id": "edghtsrt_all", …as in createRoute }] }],
 *       "event_sources": [{ "subscription_id": "sub_1", "type": "ip_policy_created.v0" }]
 *     }
 *
 * It is held to the contract as requests are. Ids must be given: by them a later start knows what is there already.
 */
import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Contract } from '../contract.ts';
import { addRoute, createEdge, type EdgeRecord, type NewEdge } from '../domain/edge.ts';
import { ApiError } from '../domain/api-error.ts';
import type { SigningCertificate } from '../domain/modules.ts';
import { createRoute, type NewRoute } from '../domain/route.ts';
import type { EdgeCreate, RouteCreate } from '../domain/types.ts';
import { crossFieldErrors } from '../http/validation/cross-field-rules.ts';
import { compileDefaults, type FillDefaults } from '../http/validation/defaults.ts';
import { contractFormats } from '../http/validation/formats.ts';
import { loneSurrogates } from '../http/request/json-checks.ts';

export interface Seed {
  edges: EdgeRecord[];
  /** Types by subscription. */
  types: Map<string, string[]>;
}

/** The file cannot be used; the message is one line that names the place in it. */
export class SeedError extends Error {
  override name = 'SeedError';
}

interface SeedFile {
  edges?: (EdgeCreate & { id: string; routes?: (RouteCreate & { id: string })[] })[];
  event_sources?: { subscription_id: string; type: string }[];
}

export interface SeedServices {
  contract: Contract;
  clock(): Date;
  createSigningKey(): Promise<SigningCertificate>;
}

/** @throws SeedError */
export async function readSeed(path: string, { contract, clock, createSigningKey }: SeedServices): Promise<Seed> {
  const fail = (fault: string): never => {
    throw new SeedError(`--seed-file ${path}: ${fault}`);
  };
  const file = parse(path, fail);
  checkShape(contract, file, fail);
  const fillEdge = defaultsFor(contract, 'HTTPSEdgeCreate');
  const fillRoute = defaultsFor(contract, 'HTTPSEdgeRouteCreate');
  const created_at = clock().toISOString();
  const edges = new Map<string, EdgeRecord>();
  for (const [n, { id, routes = [], ...body }] of (file.edges ?? []).entries()) {
    if (edges.has(id)) fail(`/edges/${n}/id is there twice`);
    let edge = createEdge(fillEdge(body) as NewEdge, { id, created_at });
    for (const [m, { id: routeId, ...route }] of routes.entries()) {
      const place = `/edges/${n}/routes/${m}`;
      for (const { pointer, detail } of crossFieldErrors(route)) fail(`${place}${pointer} ${detail}`);
      if (edge.routes.some((one) => one.id === routeId)) fail(`${place}/id is there twice`);
      const signing = route.saml ? await createSigningKey() : null;
      try {
        edge = addRoute(edge, createRoute(fillRoute(route) as NewRoute, { id: routeId, created_at, signing }));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        fail(`${place}: ${error.detail}`);
      }
    }
    edges.set(id, edge);
  }
  const types = new Map<string, string[]>();
  for (const { subscription_id, type } of file.event_sources ?? []) {
    types.set(subscription_id, [...(types.get(subscription_id) ?? []), type]);
  }
  return { edges: [...edges.values()], types };
}

function defaultsFor({ document }: Contract, schema: string): FillDefaults {
  return compileDefaults(document, { $ref: `#/components/schemas/${schema}` });
}

function parse(path: string, fail: (fault: string) => never): SeedFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return fail(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text) as SeedFile;
  } catch {
    return fail('is not JSON');
  }
}

/** A request schema with an id, and maybe more, beside what it takes. */
function withId(contract: Contract, name: string, more: Record<string, unknown> = {}): unknown {
  const { schemas } = contract.document['components'] as {
    schemas: Record<string, { properties: object; required?: string[] }>;
  };
  const schema = structuredClone(schemas[name]!);
  schema.properties = { ...schema.properties, id: { $ref: 'contract#/components/schemas/ResourceId' }, ...more };
  schema.required = [...(schema.required ?? []), 'id'];
  // References are meant from the contract.
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/'));
}

function checkShape(contract: Contract, file: unknown, fail: (fault: string) => never): asserts file is SeedFile {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: contractFormats(contract.document) });
  addFormats.default(ajv, { mode: 'full' });
  ajv.addSchema(contract.document, 'contract');
  const validate = ajv.compile({
    type: 'object',
    additionalProperties: false,
    properties: {
      edges: {
        type: 'array',
        items: withId(contract, 'HTTPSEdgeCreate', {
          routes: { type: 'array', items: withId(contract, 'HTTPSEdgeRouteCreate') },
        }),
      },
      event_sources: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['subscription_id', 'type'],
          properties: {
            subscription_id: { $ref: 'contract#/components/schemas/ResourceId' },
            type: { $ref: 'contract#/components/schemas/EventType' },
          },
        },
      },
    },
  });
  const [unicode] = loneSurrogates(file);
  if (unicode) fail(`${unicode.pointer} ${unicode.detail}`);
  if (!validate(file)) fail(inWords(validate.errors ?? []));
}

/** The first fault, without the value that broke the rule: it may be a secret. */
function inWords(errors: ErrorObject[]): string {
  const { instancePath, message, params } = errors[0]!;
  const property = (params as { additionalProperty?: string }).additionalProperty;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${instancePath || 'the file'} ${message}${property === undefined ? '' : `: ${JSON.stringify(property)}`}${rest}`;
}
