/**
 * The contract in the words of OpenAPI 3.0, for generators that read no other.
 *
 * What 3.0 can say is said another way; what it cannot say is omitted and reported, so that nothing is lost in silence.
 * Libraries exist, but leave keywords of 3.1 behind on a contract like this one. An emitter is small because the
 * style of the contract is narrow: an idiom that is not listed here is an error, never a guess.
 */
import { isObject, type Json, type Lost } from './json.ts';
import { downgradeSchema } from './schema.ts';

export interface Downgraded {
  document: Json;
  /** In the order of the contract. */
  lost: Lost[];
}

/** @throws {Error} that names the place, for a construct that it does not know. */
export function downgrade(contract: Json): Downgraded {
  const lost: Lost[] = [];
  const walk = (value: unknown, pointer: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${pointer}/${index}`));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, child]): [string, unknown][] => {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (key === 'schema') return [[key, downgradeSchema(child as Json, at, contract, lost)]];
      // Where a rule comes from is for people who read the contract itself.
      if (key === 'x-origin' || key === 'x-default-origins') return [];
      // Examples hold null where 3.0 has no strict word for it, so that validators of 3.0 would refuse right ones.
      if (key === 'examples') return [];
      return [[key, walk(child, at)]];
    });
    return Object.fromEntries(entries);
  };

  const { openapi: _, info, components, ...rest } = contract as { openapi: string; info: Json; components: Json };
  const { schemas, examples: __, ...others } = components;
  const document = {
    openapi: '3.0.3',
    info: shortInfo(info),
    ...(walk(rest, '#') as Json),
    components: {
      ...(walk(others, '#/components') as Json),
      schemas: Object.fromEntries(
        Object.entries(schemas as Record<string, Json>).map(([name, schema]) => [
          name,
          downgradeSchema(schema, `#/components/schemas/${name}`, contract, lost),
        ]),
      ),
    },
  };
  return { document: withoutUnused(document), lost };
}

/** What was copied into its only place is not needed under its name. */
function withoutUnused(document: Json & { components: { schemas: Record<string, Json> } }): Json {
  const text = JSON.stringify(document);
  const used = Object.entries(document.components.schemas).filter(([name]) =>
    text.includes(`"#/components/schemas/${name}"`),
  );
  if (used.length === Object.keys(document.components.schemas).length) return document;
  return withoutUnused({ ...document, components: { ...document.components, schemas: Object.fromEntries(used) } });
}

/** Generators copy the description into every file that they write: one sentence is enough there. */
function shortInfo(info: Json): Json {
  const { summary, license, ...rest } = info;
  const { name, identifier } = license as { name: string; identifier: string };
  return {
    ...rest,
    description: `${String(summary)} Derived from openapi.yaml, which says more; openapi-3.0.md lists what is missing here.`,
    license: { name, url: `https://spdx.org/licenses/${identifier}.html` },
  };
}
