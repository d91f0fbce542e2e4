/**
 * The types are part of the promise: `tsc` checks this file, where every `@ts-expect-error` must
 * hide an error.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { components, operations } from '../../generated/openapi.ts';
import { createClient, type EdgeClient, type HTTPSEdge, type Schemas } from './index.ts';

const api = createClient({ baseUrl: 'http://edge.test', fetch: async () => Response.json({}) });

/**
 * True when `any` is anywhere within `Type`, behind functions, promises, lists, too. Recursive
 * types end by depth.
 */
type HoldsAny<Type, Depth extends 0[] = []> = 0 extends 1 & Type
  ? true
  : Depth['length'] extends 9
    ? false
    : Type extends (...parameters: infer Parameters) => infer Result
      ? HoldsAny<Parameters, [...Depth, 0]> | HoldsAny<Result, [...Depth, 0]>
      : Type extends Promise<infer Value> | AsyncIterable<infer Value> | readonly (infer Value)[]
        ? HoldsAny<Value, [...Depth, 0]>
        : Type extends AbortSignal
          ? false
          : Type extends object
            ? { [Key in keyof Type]-?: HoldsAny<Type[Key], [...Depth, 0]> }[keyof Type]
            : false;

describe('types', () => {
  it('hold any nowhere', () => {
    expectTypeOf<HoldsAny<{ deep: { list: (() => Promise<any>)[] } }>>().toEqualTypeOf<true>();
    expectTypeOf<HoldsAny<EdgeClient[keyof EdgeClient]>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<components['schemas']>>().toEqualTypeOf<false>();
  });

  it('have a method for every operation', () => {
    expectTypeOf<keyof EdgeClient>().toEqualTypeOf<keyof operations>();
  });

  it('force no default upon a request', () => {
    expectTypeOf<{}>().toExtend<Schemas['HTTPSEdgeCreate']>();
    expectTypeOf<{ match_type: 'exact_path'; match: string }>().toExtend<
      Schemas['HTTPSEdgeRouteCreate']
    >();
    expectTypeOf<{}>().toExtend<Schemas['EndpointCircuitBreakerMutate']>();
    expectTypeOf<{ provider: { github: {} } }>().toExtend<Schemas['EndpointOAuthMutate']>();
    expectTypeOf<{}>().toExtend<NonNullable<Parameters<EdgeClient['listEdges']>[0]>>();
  });

  it('promise every property of a response', () => {
    expectTypeOf<Awaited<ReturnType<EdgeClient['createEdge']>>>().toEqualTypeOf<
      Schemas['HTTPSEdge']
    >();
    expectTypeOf<Schemas['HTTPSEdge']['mutual_tls']>().toEqualTypeOf<
      Schemas['EndpointMutualTLS'] | null
    >();
    expectTypeOf<Schemas['HTTPSEdgeRoute']['oauth']>().toEqualTypeOf<
      Schemas['EndpointOAuth'] | null
    >();
    expectTypeOf<undefined>().not.toExtend<
      Schemas['HTTPSEdgeRoute'][keyof Schemas['HTTPSEdgeRoute']]
    >();
    expectTypeOf<Awaited<ReturnType<EdgeClient['deleteEdge']>>>().toEqualTypeOf<void>();
  });

  it('have a name for each schema, and describe each of its properties', () => {
    expectTypeOf<HTTPSEdge>().toEqualTypeOf<Schemas['HTTPSEdge']>();
    const types = readFileSync(join(import.meta.dirname, '../../generated/openapi.ts'), 'utf8');
    const schemas = types.slice(types.indexOf('    schemas: {'), types.indexOf('    responses: {'));
    expect(schemas.match(/(?<!\*\/)\n {12}\w+\??: .*/g) ?? []).toEqual([]);
    expect(schemas.match(/\*\/\n {12}created_at: /g)).toHaveLength(2);
  });

  it('tell omitted from null in a change', () => {
    expectTypeOf<{ description: null }>().toExtend<Schemas['HTTPSEdgeUpdate']>();
    expectTypeOf<{ oauth: null; oidc: { issuer: string; client_id: string } }>().toExtend<
      Schemas['HTTPSEdgeRouteUpdate']
    >();
    expectTypeOf<{ match: null }>().not.toExtend<Schemas['HTTPSEdgeRouteUpdate']>();
  });

  it('refuse what the contract does not know', () => {
    const refused = [
      // @ts-expect-error an unknown property
      () => api.createEdge({ colour: 'red' }),
      () =>
        api.createRoute(
          { edge_id: 'e' },
          // @ts-expect-error an unknown property, deep within
          { match_type: 'exact_path', match: '/', oauth: { provider: { github: { team: 'x' } } } },
        ),
      // @ts-expect-error `match` is required
      () => api.createRoute({ edge_id: 'e' }, { match_type: 'exact_path' }),
      // @ts-expect-error null has no meaning here
      () => api.updateRoute({ edge_id: 'e', route_id: 'r' }, { match: null }),
      // @ts-expect-error which edge?
      () => api.getRoute({ route_id: 'r' }),
      // @ts-expect-error an unknown parameter of the query
      () => api.listEdges({ page: 2 }),
      // @ts-expect-error a response has no such property
      async () => (await api.getEdge({ edge_id: 'e' })).colour,
    ];
    expectTypeOf(refused).not.toBeAny();
  });
});
