/** Every rule of a schema as one clause: what can be broken, where in a value, and where the contract says so. */
import { SINGLE_RULES, WHOLE_RULES } from './keywords.ts';
import { type Contract, perContract, perPointers } from './load.ts';
import { type Header, operationsOf } from './operations.ts';
import { originOf, type Side } from './origins.ts';
import { isObject, joinPointer } from './pointers.ts';
import {
  conditionalsOf,
  nullableBranch,
  segmentOf,
  shapeOf,
  type Part,
  type Schema,
  type Shape,
} from './shape.ts';

export interface Clause {
  /** Stable, unique in its schema: path, keyword and `name`, such as `required.type` or `tls_termination.if.then`. */
  id: string;
  /** JSON Pointer into the contract of the keyword that states the rule. */
  pointer: string;
  /** Both branches of an `if` have the keyword `if`. */
  keyword: string;
  /** Where in a value, as `shapeAt` reads it; for `required`, where the object is. */
  path: readonly string[];
  /** See `x-origin` in the contract. */
  origin: string;
  /** The property that `required` (or `dependentRequired`, its trigger first) names, or the branch: `then` or `else`. */
  name?: string;
  /** True when the rule binds the names of the properties at `path` (`propertyNames`), not a value. */
  onNames?: true;
  /** The schema object that holds the keyword. */
  schema: Schema;
}

/** The clauses of the schema in the order of the contract, outer first: do not change them. @throws Unsupported */
export const clausesOf = perPointers((contract, [pointer = '']): readonly Clause[] => {
  const side = sideOf(contract, pointer);
  const places = [...walk(shapeOf(contract, pointer), [], false, [])];
  return distinct(places.flatMap((place) => [...rulesOf(contract, side, place)]));
});

/** Bodies and parameters of requests have schemas that no response has, whatever these refer to. */
function sideOf(contract: Contract, schemaPointer: string): Side {
  if (
    isObject(contract.document['paths']) &&
    rootsOf(contract.whole ?? contract).request.includes(schemaPointer)
  ) {
    return 'request';
  }
  return 'response';
}

/** The schemas of bodies, parameters and headers. */
export const rootsOf = perContract((contract): Record<Side, string[]> => {
  const operations = operationsOf(contract);
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  return {
    request: operations.flatMap(({ requestBody, parameters }) => [
      ...(requestBody ? [requestBody.pointer] : []),
      ...parameters.flatMap(({ pointer, schema }) => [`${pointer}/schema`, schema]),
    ]),
    response: responses.flatMap(({ content, headers }) => [
      ...Object.values(content),
      ...Object.values(headers).flatMap(schemasOfHeader),
    ]),
  };
});

/** The place of the schema as it is written, and where it leads. */
function schemasOfHeader({ pointer, schema }: Header): string[] {
  return schema === undefined ? [] : [`${pointer}/schema`, schema];
}

interface Place {
  part: Part;
  path: string[];
  onNames: boolean;
}

function* walk(shape: Shape, path: string[], onNames: boolean, above: Shape[]): Generator<Place> {
  // A schema that refers to itself has the same rules further down.
  if (above.includes(shape)) {
    return;
  }
  for (const part of shape.parts) {
    yield { part, path, onNames };
  }
  const inside = [...above, shape];
  if (shape.names) {
    yield* walk(shape.names, path, true, inside);
  }
  const children: [string, Shape | undefined][] = [
    ...shape.properties,
    ...[...shape.patterns].map(([pattern, child]): [string, Shape] => [segmentOf(pattern), child]),
    ['*', shape.additional],
    ...shape.prefix.map((child, index): [string, Shape] => [String(index), child]),
    ['*', shape.items],
  ];
  for (const [segment, child] of children) {
    if (child) {
      yield* walk(child, [...path, segment], onNames, inside);
    }
  }
}

type Unnamed = Omit<Clause, 'id'>;

function* rulesOf(
  contract: Contract,
  side: Side,
  { part, path, onNames }: Place,
): Generator<Unnamed> {
  const { schema } = part;
  const clause = (keyword: string, name?: string): Unnamed => ({
    pointer: joinPointer(part.pointer, keyword),
    keyword,
    path,
    origin: originOf(contract, part.pointer, keyword, side, name),
    ...(name === undefined ? {} : { name }),
    ...(onNames ? { onNames } : {}),
    schema,
  });
  for (const keyword of SINGLE_RULES) {
    if (keyword in schema && !(keyword === 'uniqueItems' && schema[keyword] !== true)) {
      yield clause(keyword);
    }
  }
  for (const name of (schema['required'] ?? []) as string[]) {
    yield clause('required', name);
  }
  for (const [trigger, names] of Object.entries(
    (schema['dependentRequired'] ?? {}) as Record<string, string[]>,
  )) {
    for (const name of names) {
      yield clause('dependentRequired', `${trigger}.${name}`);
    }
  }
  if (schema['additionalProperties'] === false) {
    yield clause('additionalProperties');
  }
  for (const keyword of WHOLE_RULES) {
    const isIdle = /^(any|one)Of$/.test(keyword)
      ? nullableBranch(schema)?.keyword === keyword
      : /^m\w+Contains$/.test(keyword) && !('contains' in schema);
    if (keyword in schema && !isIdle) {
      yield clause(keyword);
    }
  }
  for (const { schema: holder, whenMet, whenNot } of conditionalsOf(part)) {
    for (const name of ['then', 'else']) {
      const pointer = name === 'then' ? whenMet : whenNot;
      if (pointer === undefined) {
        continue;
      }
      yield {
        ...clause('if', name),
        pointer,
        origin: originOf(contract, pointer, '*', side),
        schema: holder,
      };
    }
  }
}

/** What a clause of `dependentRequired` names: either name may have a dot. */
export function dependencyOf({ schema, name = '' }: Pick<Clause, 'schema' | 'name'>) {
  const rules = schema['dependentRequired'] as Record<string, string[]>;
  const trigger = Object.keys(rules).find((key) => name.startsWith(`${key}.`)) ?? '';
  return { rules, trigger, missing: name.slice(trigger.length + 1) };
}

/** Gives each clause its id; where a rule is stated twice for one place, the later ones are numbered from 2. */
function distinct(clauses: Unnamed[]): Clause[] {
  const uses = new Map<string, number>();
  return clauses.map((clause) => {
    const words = [...clause.path, ...(clause.onNames ? ['propertyNames'] : []), clause.keyword];
    if (clause.name !== undefined) {
      words.push(clause.name);
    }
    const id = words.join('.');
    const use = (uses.get(id) ?? 0) + 1;
    uses.set(id, use);
    return { id: use === 1 ? id : `${id}~${use}`, ...clause };
  });
}
