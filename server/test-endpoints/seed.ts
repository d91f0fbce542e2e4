/**
 * A JSON file of edges and event sources to begin with (docs/test-a-client.md). The contract
 * applies to it, too.
 */
import { readFile } from 'node:fs/promises';
import type { Contract } from '../contract.ts';
import { crossFieldErrors } from '../cross-field-rules.ts';
import { ApiError } from '../domain/api-error.ts';
import { addRoute, createEdge, type EdgeRecord, type NewEdge } from '../domain/edge.ts';
import { createRoute, type NewRoute } from '../domain/route.ts';
import { addType, emptySubscription } from '../domain/subscription.ts';
import type { EdgeCreate, RouteCreate } from '../domain/types.ts';
import { compileDefaults, type FillDefaults } from '../openapi/defaults.ts';
import { createSigningCertificate } from '../saml.ts';
import { jsonOf } from '../store/record-text.ts';
import { DamagedRecord, type Store } from '../store/store.ts';
import { shapeError } from './seed-shape.ts';

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
  edges?: SeedEdge[];
  event_sources?: SeedSource[];
}

type SeedEdge = EdgeCreate & { id: string; routes?: SeedRoute[] };

type SeedRoute = RouteCreate & { id: string };

interface SeedSource {
  subscription_id: string;
  type: string;
}

/** How many records were added, and how many cannot be read and stay as they are. */
export interface Added {
  edges: number;
  sources: number;
  damaged: number;
}

/**
 * Adds what is missing and changes nothing that exists: each start may load it, and several servers
 * at once.
 */
export async function loadSeed(store: Store, seed: Seed): Promise<Added> {
  const added: Added = { edges: 0, sources: 0, damaged: 0 };
  for (const edge of seed.edges) {
    const count = await unlessDamaged(addEdge(store, edge), added);
    added.edges += count;
  }
  for (const [id, types] of seed.types) {
    const count = await unlessDamaged(addTypes(store, id, types), added);
    added.sources += count;
  }
  return added;
}

/** A damaged record does not stop the start. @returns 0 for it, and counts it */
async function unlessDamaged(adding: Promise<number>, added: Added): Promise<number> {
  try {
    return await adding;
  } catch (error) {
    if (!(error instanceof DamagedRecord)) {
      throw error;
    }
    added.damaged += 1;
    return 0;
  }
}

/** @returns how many were added */
async function addEdge({ edges }: Store, edge: EdgeRecord): Promise<number> {
  let added = 0;
  await edges.update(edge.id, (existing) => {
    added = existing ? 0 : 1;
    return existing ?? edge;
  });
  return added;
}

/** @returns how many were added */
async function addTypes({ subscriptions }: Store, id: string, types: Set<string>): Promise<number> {
  let added = 0;
  await subscriptions.update(id, (existing) => {
    const missing = [...types].filter((type) => !existing?.types.includes(type));
    added = missing.length;
    if (missing.length === 0) {
      return existing;
    }
    let subscription = existing ?? emptySubscription(id);
    for (const type of missing) {
      subscription = addType(subscription, type);
    }
    return subscription;
  });
  return added;
}

/** @throws SeedError */
export async function readSeed(path: string, contract: Contract): Promise<Seed> {
  const reader = new SeedReader(path, contract);
  return await reader.read();
}

class SeedReader {
  readonly #path: string;
  readonly #contract: Contract;
  readonly #fillEdge: FillDefaults;
  readonly #fillRoute: FillDefaults;
  readonly #created_at = new Date().toISOString();

  constructor(path: string, contract: Contract) {
    this.#path = path;
    this.#contract = contract;
    this.#fillEdge = this.#defaultsOf('HTTPSEdgeCreate');
    this.#fillRoute = this.#defaultsOf('HTTPSEdgeRouteCreate');
  }

  #defaultsOf(schema: string): FillDefaults {
    const { document } = this.#contract;
    return compileDefaults(document, { $ref: `#/components/schemas/${schema}` });
  }

  async read(): Promise<Seed> {
    const file = await this.#readFile();
    const edges = new Map<string, EdgeRecord>();
    for (const [index, edge] of (file.edges ?? []).entries()) {
      const place = `/edges/${index}`;
      if (edges.has(edge.id)) {
        throw this.#error(`${place}/id occurs twice`);
      }
      edges.set(edge.id, await this.#edge(edge, place));
    }
    return { edges: [...edges.values()], types: typesOf(file.event_sources ?? []) };
  }

  async #readFile(): Promise<SeedFile> {
    const text = await this.#readText();
    const file = jsonOf(text);
    if (file === undefined) {
      throw this.#error('is not JSON');
    }
    const error = shapeError(file, this.#contract);
    if (error !== undefined) {
      throw this.#error(error);
    }
    return file as SeedFile;
  }

  async #readText(): Promise<string> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw this.#error(`cannot be read (${code})`);
    }
  }

  async #edge({ id, routes = [], ...body }: SeedEdge, place: string): Promise<EdgeRecord> {
    const filled = this.#fillEdge(body) as NewEdge;
    let edge = createEdge(filled, { id, created_at: this.#created_at });
    for (const [index, route] of routes.entries()) {
      edge = await this.#withRoute(edge, route, `${place}/routes/${index}`);
    }
    return edge;
  }

  async #withRoute(
    edge: EdgeRecord,
    { id, ...body }: SeedRoute,
    place: string,
  ): Promise<EdgeRecord> {
    const [ruleError] = crossFieldErrors(body);
    if (ruleError !== undefined) {
      throw this.#error(`${place}${ruleError.pointer} ${ruleError.detail}`);
    }
    if (edge.routes.some((one) => one.id === id)) {
      throw this.#error(`${place}/id occurs twice`);
    }
    const signing = body.saml ? await createSigningCertificate() : null;
    const filled = this.#fillRoute(body) as NewRoute;
    const route = createRoute(filled, { id, created_at: this.#created_at, signing });
    try {
      return addRoute(edge, route);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      throw this.#error(`${place}: ${error.detail}`);
    }
  }

  #error(reason: string): SeedError {
    return new SeedError(`--seed-file ${this.#path}: ${reason}`);
  }
}

function typesOf(sources: readonly SeedSource[]): Map<string, Set<string>> {
  const bySubscription = new Map<string, Set<string>>();
  for (const { subscription_id: id, type } of sources) {
    const types = bySubscription.get(id) ?? new Set();
    bySubscription.set(id, types.add(type));
  }
  return bySubscription;
}
