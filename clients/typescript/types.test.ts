/**
 * The types are part of the promise: `tsc` checks this file, where every `@ts-expect-error` must
 * hide an error.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { components, operations } from '../../generated/openapi.ts';
import {
  createClient,
  type EdgeClient,
  type EdgePath,
  type HTTPSEdge,
  type PathOf,
  type RoutePath,
  type Schemas,
  type SourcePath,
  type SubscriptionPath,
} from './index.ts';

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

/**
 * The text that an editor shows at the start of each of the texts, the last time that it occurs.
 */
function hoversOf(program: string, texts: readonly string[]): Record<string, string> {
  const file = join(import.meta.dirname, 'hovers.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    types: [],
  };
  const read = (name: string) => (name === file ? program : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptSnapshot(name) {
      const text = read(name);
      if (text === undefined) {
        return undefined;
      }
      return ts.ScriptSnapshot.fromString(text);
    },
    getScriptVersion: () => '1',
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
  });
  const shown = texts.map((text) => {
    const info = service.getQuickInfoAtPosition(file, program.lastIndexOf(text));
    const parts = [info?.displayParts, info?.documentation].map(ts.displayPartsToString);
    return [text, parts.join('\n').trim()];
  });
  return Object.fromEntries(shown) as Record<string, string>;
}

describe('types', () => {
  it('never contain any', () => {
    expectTypeOf<HoldsAny<{ deep: { list: (() => Promise<any>)[] } }>>().toEqualTypeOf<true>();
    expectTypeOf<HoldsAny<EdgeClient[keyof EdgeClient]>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<components['schemas']>>().toEqualTypeOf<false>();
  });

  it('have a method for every operation', () => {
    expectTypeOf<keyof EdgeClient>().toEqualTypeOf<keyof operations>();
  });

  it('do not require properties with a default in a request', () => {
    expectTypeOf<{}>().toExtend<Schemas['HTTPSEdgeCreate']>();
    expectTypeOf<{ match_type: 'exact_path'; match: string }>().toExtend<
      Schemas['HTTPSEdgeRouteCreate']
    >();
    expectTypeOf<{}>().toExtend<Schemas['EndpointCircuitBreakerMutate']>();
    expectTypeOf<{ provider: { github: {} } }>().toExtend<Schemas['EndpointOAuthMutate']>();
    expectTypeOf<{}>().toExtend<NonNullable<Parameters<EdgeClient['listEdges']>[0]>>();
  });

  it('require every property of a response', () => {
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
    const schemas = types.slice(types.indexOf('export type ResourceId'));
    const properties = schemas.slice(0, schemas.indexOf('export interface operations'));
    expect(properties.match(/(?<!\*\/)\n {4}\w+\??: .*/g) ?? []).toEqual([]);
    expect(properties.match(/\*\/\n {4}created_at: CreatedAt;/g)).toHaveLength(2);
    expect(types).not.toContain('components["schemas"]');
  });

  it('name the path parameters of the contract', () => {
    expectTypeOf<EdgePath>().toEqualTypeOf<PathOf<'getEdge'>>();
    expectTypeOf<EdgePath>().toEqualTypeOf<PathOf<'createRoute'>>();
    expectTypeOf<RoutePath>().toEqualTypeOf<PathOf<'getRoute'>>();
    expectTypeOf<SubscriptionPath>().toEqualTypeOf<PathOf<'listEventSources'>>();
    expectTypeOf<SourcePath>().toEqualTypeOf<PathOf<'updateEventSource'>>();
  });

  it('are shown in an editor by their names', () => {
    const program = `
      import { createClient } from './index.ts';
      const api = createClient({ baseUrl: 'http://edge.test' });
      const edge = await api.getEdge({ edge_id: 'e' });
      const match_type = edge.routes[0]!.match_type;
      await api.updateRoute({ edge_id: 'e', route_id: 'r' }, {});
    `;
    const shown = hoversOf(program, ['edge =', 'match_type;', 'updateRoute(', 'getEdge(']);
    expect(shown['edge =']).toBe('const edge: HTTPSEdge');
    expect(shown['match_type;']).toContain('HTTPSEdgeRoute.match_type: MatchType');
    expect(shown['match_type;']).toContain('How `match` selects traffic');
    expect(shown['updateRoute(']).toContain('body: HTTPSEdgeRouteUpdate');
    expect(shown['updateRoute(']).toContain('Changes the properties that are sent');
    expect(shown['getEdge(']).toBe(
      '(method) EdgeClient.getEdge(path: EdgePath, options?: CallOptions): Call<HTTPSEdge>\n' +
        'Returns the edge with its routes.',
    );
  });

  it('tell omitted from null in a change', () => {
    expectTypeOf<{ description: null }>().toExtend<Schemas['HTTPSEdgeUpdate']>();
    expectTypeOf<{ oauth: null; oidc: { issuer: string; client_id: string } }>().toExtend<
      Schemas['HTTPSEdgeRouteUpdate']
    >();
    expectTypeOf<{ match: null }>().not.toExtend<Schemas['HTTPSEdgeRouteUpdate']>();
  });

  it('refuse properties and parameters that the contract does not know', () => {
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
