/** A JSON file of edges and event sources to begin with (docs/test-a-client.md). The contract applies to it, too. */
import { readFile } from 'node:fs/promises';
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Contract } from '../contract.ts';
import { ApiError } from '../domain/api-error.ts';
import { addRoute, createEdge, type EdgeRecord, type NewEdge } from '../domain/edge.ts';
import { createRoute, type NewRoute } from '../domain/route.ts';
import { addType, emptySubscription } from '../domain/subscription.ts';
import type { EdgeCreate, RouteCreate } from '../domain/types.ts';
import { loneSurrogates } from '../http/request/json-rules.ts';
import { crossFieldErrors } from '../cross-field-rules.ts';
import { compileDefaults } from '../openapi/defaults.ts';
import { contractFormats } from '../openapi/formats.ts';
import { createSigningCertificate } from '../saml.ts';
import { jsonOf } from '../store/record-text.ts';
import { DamagedRecord, type Store } from '../store/store.ts';

export interface Seed {
  edges: EdgeRecord[];
  /** Types by subscription. */
  types: Map<string, Set<string>>;
}

/** The file cannot be used; the message is one line that names the place in it. */
export class SeedError extends Error {
  override name = 'SeedError';
}

interface SeedFile {
  edges?: (EdgeCreate & { id: string; routes?: (RouteCreate & { id: string })[] })[];
  event_sources?: { subscription_id: string; type: string }[];
}

/** Adds what is missing and changes nothing that exists: each start may load it, and several servers at once. */
export async function loadSeed(
  store: Store,
  seed: Seed,
): Promise<{ edges: number; sources: number; damaged: number }> {
  const added = { edges: 0, sources: 0, damaged: 0 };
  // It stays as it is, and does not stop the start.
  const countDamaged = (error: unknown) => {
    if (!(error instanceof DamagedRecord)) {
      throw error;
    }
    added.damaged += 1;
  };
  for (const edge of seed.edges) {
    let missing = 0;
    const load = store.edges.update(edge.id, (current) => {
      missing = current ? 0 : 1;
      return current ?? edge;
    });
    await load.catch(countDamaged);
    added.edges += missing;
  }
  for (const [id, types] of seed.types) {
    let missing: string[] = [];
    const load = store.subscriptions.update(id, (current) => {
      missing = [...types].filter((type) => !current?.types.includes(type));
      if (missing.length === 0) {
        return current;
      }
      return missing.reduce(addType, current ?? emptySubscription(id));
    });
    await load.catch(countDamaged);
    added.sources += missing.length;
  }
  return added;
}

/** @throws SeedError */
export async function readSeed(path: string, contract: Contract): Promise<Seed> {
  const fail = (reason: string): never => {
    throw new SeedError(`--seed-file ${path}: ${reason}`);
  };
  const file = jsonOf(
    await readFile(path, 'utf8').catch(({ code }) => fail(`cannot be read (${code})`)),
  );
  if (file === undefined) {
    fail('is not JSON');
  }
  checkShape(contract, file, fail);
  const [fillEdge, fillRoute] = ['HTTPSEdgeCreate', 'HTTPSEdgeRouteCreate'].map((name) =>
    compileDefaults(contract.document, { $ref: `#/components/schemas/${name}` }),
  );
  const created_at = new Date().toISOString();
  const edges = new Map<string, EdgeRecord>();
  for (const [n, { id, routes = [], ...body }] of (file.edges ?? []).entries()) {
    if (edges.has(id)) {
      fail(`/edges/${n}/id occurs twice`);
    }
    let edge = createEdge(fillEdge!(body) as NewEdge, { id, created_at });
    for (const [m, { id: routeId, ...route }] of routes.entries()) {
      const place = `/edges/${n}/routes/${m}`;
      for (const { pointer, detail } of crossFieldErrors(route)) {
        fail(`${place}${pointer} ${detail}`);
      }
      if (edge.routes.some((one) => one.id === routeId)) {
        fail(`${place}/id occurs twice`);
      }
      const signing = route.saml ? await createSigningCertificate() : null;
      try {
        edge = addRoute(
          edge,
          createRoute(fillRoute!(route) as NewRoute, { id: routeId, created_at, signing }),
        );
      } catch (error) {
        if (!(error instanceof ApiError)) {
          throw error;
        }
        fail(`${place}: ${error.detail}`);
      }
    }
    edges.set(id, edge);
  }
  const types = new Map<string, Set<string>>();
  for (const { subscription_id: id, type } of file.event_sources ?? []) {
    types.set(id, (types.get(id) ?? new Set()).add(type));
  }
  return { edges: [...edges.values()], types };
}

type ObjectSchema = { properties: object; required?: string[] };

function checkShape(
  contract: Contract,
  file: unknown,
  fail: (reason: string) => never,
): asserts file is SeedFile {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats: contractFormats(contract.document),
  });
  addFormats.default(ajv, { mode: 'full' });
  const { components } = contract.document as {
    components: { schemas: Record<string, ObjectSchema> };
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  /** A request schema with an id, and maybe more, beside its own properties. */
  const withId = (name: string, more: object = {}) => {
    const { properties, required = [], ...rest } = components.schemas[name]!;
    return {
      ...rest,
      properties: { ...properties, id: ref('ResourceId'), ...more },
      required: [...required, 'id'],
    };
  };
  const source = { subscription_id: ref('ResourceId'), type: ref('EventType') };
  const edge = withId('HTTPSEdgeCreate', {
    routes: { type: 'array', items: withId('HTTPSEdgeRouteCreate') },
  });
  const validate = ajv.compile({
    components,
    type: 'object',
    additionalProperties: false,
    properties: {
      edges: { type: 'array', items: edge },
      event_sources: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: Object.keys(source),
          properties: source,
        },
      },
    },
  });
  const [unicode] = loneSurrogates(file);
  if (unicode) {
    fail(`${unicode.pointer} ${unicode.detail}`);
  }
  if (!validate(file)) {
    fail(inWords(validate.errors ?? []));
  }
}

/** The first error, without the value that broke the rule: it may be a secret. */
function inWords(errors: ErrorObject[]): string {
  const { instancePath, message, params } = errors[0]!;
  const property = (params as { additionalProperty?: string }).additionalProperty;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${instancePath || 'the file'} ${message}${property === undefined ? '' : `: ${JSON.stringify(property)}`}${rest}`;
}
