/**
 * Links that a contract does not state: its paths and schemas show the operation that makes an
 * item, and the member that names it.
 */
import { supported } from './keywords.ts';
import { type Contract, perContract } from './load.ts';
import {
  type Operation,
  operationsOf,
  type Parameter,
  schemaOfSuccess,
  successOf,
} from './operations.ts';
import { type Link, linksOf } from './links.ts';
import { joinPointer } from './pointers.ts';
import { type Shape, shapeOf } from './shape.ts';
import { asRequest } from './variants.ts';

/** In a link, the last segment of the path in the `Location` of the response. */
export const LOCATION = '$response.header.location';

/**
 * In a link, the key that the response shows although the contract does not declare it: see
 * `keyIn`.
 */
export const SHOWN = '$response';

/**
 * By convention, a POST to `/things` makes the item of `/things/{id}`, named by a member of its
 * response or `Location`.
 */
const inferredLinks = perContract((contract): readonly Link[] => {
  const hasSuccess = ({ responses }: Operation) =>
    Object.keys(responses).some((status) => /^(2|default)/.test(status));
  const operations = operationsOf(contract).filter(
    (one) => one.unsupported === undefined && hasSuccess(one),
  );
  const posts = operations.filter(({ method }) => method === 'POST');
  return operations.flatMap((to): Link[] => {
    const [, collection, name] = /^(.*)\/\{([^{}]+)\}/.exec(to.path) ?? [];
    const from =
      posts.find(({ path }) => path.replace(/\/$/, '') === collection) ??
      posts.find((one) => makesUnderParent(one, `${collection}/{${name}}`, operations));
    const parameter = to.parameters.find((one) => one.in === 'path' && one.name === name);
    if (name === undefined || !from || !parameter) {
      return [];
    }
    const [member, ...around] = keyFor(contract, from, parameter);
    const hasLocation = Object.keys(successOf(from).headers).some(
      (header) => header.toLowerCase() === 'location',
    );
    const above = [...collection!.matchAll(/\{([^{}]+)\}/g)].map(([, one]) => [
      one,
      `$request.path.${one}`,
    ]);
    const stated = hasLocation ? LOCATION : SHOWN;
    const own =
      member === undefined ? stated : `$response.body#${joinPointer('', ...around, member)}`;
    const isGuess = member !== 'id' && member !== name;
    return [
      {
        from,
        to,
        parameters: { ...Object.fromEntries(above), [name]: own },
        ...(isGuess ? { isGuess } : {}),
      },
    ];
  });
});

/** The path above, the name and the id of an item: `/tasks/{id}`. */
const ITEM_PATH = /^(.*)(\/[^/{}]+)\/\{[^{}]+\}$/;

/**
 * Whether a POST to `/projects/{id}/tasks` makes the item of `/tasks/{id}`: a GET of that has the
 * same schema.
 */
function makesUnderParent(
  from: Operation,
  item: string,
  operations: readonly Operation[],
): boolean {
  const [, above, kind] = ITEM_PATH.exec(item) ?? [];
  if (!from.path.startsWith(`${above}/`) || !from.path.endsWith(`}${kind}`)) {
    return false;
  }
  const read = operations.find(({ method, path }) => method === 'GET' && path === item);
  const schema = read && schemaOfSuccess(read);
  return schema !== undefined && schemaOfSuccess(from) === schema;
}

/** The links of the contract, and behind them those by convention. */
export const allLinks = perContract((contract) => [
  ...linksOf(contract),
  ...inferredLinks(contract),
]);

/** The operation that reads the item which a POST makes: by a link, or by convention. */
export function isRead({ from, to }: Link, contract: Contract): boolean {
  if (from.method !== 'POST' || to.method !== 'GET' || !to.path.includes('{')) {
    return false;
  }
  const isStated = linksOf(contract).some((link) => link.from === from && link.to === to);
  return isStated || /\/\{[^{}]+\}\/?$/.test(to.path);
}

/** `owner_id`, `ownerId` and `Owner-ID` are one name. */
export const spelt = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Names of members that identify an item, the likeliest first. */
const KEYS = ['id', 'uuid', 'guid', 'key', 'slug', 'number', 'code', 'name'];

/** The only object in a response that may hold the item, such as `data`, by its name. */
export function envelopeOf(
  contract: Contract,
  operation: Operation,
): [name: string, shape: Shape] | undefined {
  const schema = schemaOfSuccess(operation);
  const all = schema === undefined ? [] : [...shapeOf(contract, schema).properties];
  const [first, second] = all.filter(([, { types }]) => types.has('object'));
  if (first && !second && (all.length === 1 || /^(data|item|result)$/i.test(first[0]))) {
    return first;
  }
  return undefined;
}

/**
 * The member that has the value of a path parameter, and the member with the object around it, if
 * there is one: a member of the same name in any spelling, or one of the names with which such
 * names end, preferably one that is not sent. @param create the operation that makes the item;
 * default: the operation whose response has it
 */
export function keyFor(
  contract: Contract,
  operation: Operation,
  stated: Parameter,
  create = operation,
): string[] {
  const { name, schema: own } = stated;
  const keyOf = (schemas: readonly string[]): string | undefined => {
    const isText = shapeOf(contract, own).types.has('string');
    // A text may stand for a number, and not the other way round.
    const fits = ({ types }: Shape) => types.has('integer') || (isText && types.has('string'));
    const names = branchesOf(contract, ...schemas).flatMap(({ properties }) =>
      [...properties].filter(([, one]) => fits(one)).map(([member]) => member),
    );
    const ends = KEYS.filter((key) => spelt(name).endsWith(key));
    const named = [name, spelt(name), ...KEYS.map((key) => spelt(name + key)), ...ends];
    const first = (keys: string[], among: string[]) =>
      keys.flatMap((key) => among.find((one) => one === key || spelt(one) === key) ?? [])[0];
    const sent =
      create.requestBody && shapeOf(asRequest(contract), create.requestBody.pointer).properties;
    const unsent = names.filter((one) => !sent?.has(one));
    const only = (all: string[]) => (all.length === 1 ? all[0] : undefined);
    const likely = (all: string[]) =>
      first(KEYS, all) ?? only(all.filter((one) => /[a-z_-]id$|Id$/i.test(one)));
    return first(named, names) ?? likely(unsent) ?? only(unsent) ?? likely(names);
  };
  const find = () => {
    const schema = schemaOfSuccess(operation);
    const direct = schema === undefined ? undefined : keyOf([schema]);
    if (direct !== undefined) {
      return [direct];
    }
    const [around, inside] = envelopeOf(contract, operation) ?? [];
    const member = inside && keyOf(inside.roots);
    if (around === undefined || member === undefined) {
      return [];
    }
    return [member, around];
  };
  return supported(find, () => []);
}

/**
 * The shape of each kind of object that the schemas describe: one for each branch of an `anyOf` or
 * `oneOf`.
 */
export function branchesOf(contract: Contract, ...pointers: string[]): Shape[] {
  const kinds = kindsOf(contract, ...pointers);
  if (kinds.length === 0) {
    return [shapeOf(contract, ...pointers)];
  }
  return kinds.map((kind) => shapeOf(contract, ...pointers, kind));
}

/**
 * The pointers of the branches that are objects with their own properties; empty if there is only
 * one kind.
 */
export function kindsOf(contract: Contract, ...pointers: string[]): readonly string[] {
  const isKind = (pointer: string) =>
    /\/(any|one)Of\/\d+$/.test(pointer) && shapeOf(contract, pointer).properties.size > 0;
  return (
    shapeOf(contract, ...pointers).alternatives.find((branches) => branches.every(isKind)) ?? []
  );
}

/**
 * The path of the item that an operation is about, such as `/books/{id}`; of `/books/{id}/`,
 * without the slash.
 */
export const itemPathOf = ({ path }: Operation): string => path.slice(0, path.lastIndexOf('}') + 1);

/**
 * Whether the operation is that of the item at this path: some frameworks have a slash at the end.
 */
export const isOfItem = ({ path }: Operation, item: string): boolean =>
  path === item || path === `${item}/`;
